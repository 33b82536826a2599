//! Finds files of a crate that import each other in a cycle.
//!
//! An edge goes from a file that names an item to the file that defines the item. Two kinds of references are
//! not edges, because a module and its children form one unit: re-exports, and a child's use of its parents'
//! items.

use crate::files::{packages, root};
use crate::ratchet::Violation;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree, Visibility};

/// A module of a crate.
struct Module {
    file: usize,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Names that the module defines.
    items: BTreeSet<String>,
    /// Names that `use` brings in, with the path of each.
    imports: BTreeMap<String, Vec<String>>,
    /// Paths of `use PATH::*`.
    globs: Vec<Vec<String>>,
    /// Paths that the module's code and its private imports name.
    named: Vec<Vec<String>>,
}

/// The modules and files of a crate; module 0 is the root.
#[derive(Default)]
struct Crate {
    modules: Vec<Module>,
    files: Vec<PathBuf>,
}

/// Returns one violation for each cycle of files.
pub(crate) fn circles() -> Vec<Violation> {
    let mut found = Vec::new();
    for package in packages() {
        let src = root().join(&package).join("src");
        let roots = ["lib.rs", "main.rs"].map(|name| src.join(name));
        let Some(file) = roots.into_iter().find(|file| file.exists()) else {
            continue;
        };
        let mut parsed = Crate::default();
        parsed.add_file(&file, &src, None);
        for circle in components(&parsed.edges()) {
            let names = circle.iter().map(|&file| relative(&parsed.files[file]));
            let names: Vec<String> = names.collect();
            found.push(Violation {
                path: names[0].clone(),
                line: 0,
                what: format!("imports in a circle: {}", names.join(", ")),
            });
        }
    }
    found
}

fn relative(path: &Path) -> String {
    let path = path.strip_prefix(root()).unwrap_or(path);
    path.to_string_lossy().into_owned()
}

fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => list.tokens.to_string() == "test",
        _ => false,
    })
}

impl Crate {
    /// Parses a file as a module; `folder` has the files of its children.
    fn add_file(&mut self, path: &Path, folder: &Path, parent: Option<usize>) -> usize {
        let text = std::fs::read_to_string(path).unwrap();
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self.files.push(path.to_owned());
        self.add_module(self.files.len() - 1, &file.items, folder, parent)
    }

    fn add_module(&mut self, file: usize, items: &[Item], folder: &Path, parent: Option<usize>) -> usize {
        let module = self.modules.len();
        self.modules.push(Module {
            file,
            parent,
            children: BTreeMap::new(),
            items: BTreeSet::new(),
            imports: BTreeMap::new(),
            globs: Vec::new(),
            named: Vec::new(),
        });
        for item in items {
            match item {
                Item::Mod(item) if is_test(&item.attrs) => {}
                Item::Mod(item) => {
                    let name = item.ident.to_string();
                    let below = folder.join(&name);
                    let child = match &item.content {
                        Some((_, items)) => self.add_module(file, items, &below, Some(module)),
                        None => {
                            let single = folder.join(format!("{name}.rs"));
                            let path = if single.exists() {
                                single
                            } else {
                                below.join("mod.rs")
                            };
                            self.add_file(&path, &below, Some(module))
                        }
                    };
                    self.modules[module].children.insert(name, child);
                }
                item => self.modules[module].add(item),
            }
        }
        module
    }

    /// Returns the file that defines the item that `path` names in `module`.
    fn resolve(&self, module: usize, path: &[String], depth: usize) -> Option<usize> {
        let (first, rest) = path.split_first()?;
        let here = &self.modules[module];
        // The depth is limited, because imports can name each other in a loop.
        let depth = depth.checked_sub(1)?;
        match first.as_str() {
            "crate" => return self.resolve(0, rest, depth),
            "self" => return self.resolve(module, rest, depth),
            "super" => return self.resolve(here.parent?, rest, depth),
            _ => {}
        }
        if let Some(child) = here.children.get(first) {
            return self.resolve(*child, rest, depth);
        }
        if here.items.contains(first) {
            return Some(here.file);
        }
        if let Some(import) = here.imports.get(first) {
            let path = [import.as_slice(), rest].concat();
            // An import of a crate's name would find itself.
            return (import.first() != Some(first)).then(|| self.resolve(module, &path, depth))?;
        }
        let mut globs = here.globs.iter();
        globs.find_map(|glob| self.resolve(module, &[glob.as_slice(), path].concat(), depth))
    }

    /// The files of a module and of its parents.
    fn files_of_parents(&self, module: usize) -> BTreeSet<usize> {
        let chain = std::iter::successors(Some(module), |module| self.modules[*module].parent);
        chain.map(|module| self.modules[module].file).collect()
    }

    /// For each file, returns the files with items that it names.
    fn edges(&self) -> Vec<BTreeSet<usize>> {
        let mut edges = vec![BTreeSet::new(); self.files.len()];
        for (number, module) in self.modules.iter().enumerate() {
            let named = module.named.iter();
            let targets = named.filter_map(|path| self.resolve(number, path, 16));
            let parents = self.files_of_parents(number);
            edges[module.file].extend(targets.filter(|target| !parents.contains(target)));
        }
        edges
    }
}

impl Module {
    fn add(&mut self, item: &Item) {
        let name = match item {
            Item::Const(item) => Some(&item.ident),
            Item::Enum(item) => Some(&item.ident),
            Item::Fn(item) => Some(&item.sig.ident),
            Item::Static(item) => Some(&item.ident),
            Item::Struct(item) => Some(&item.ident),
            Item::Trait(item) => Some(&item.ident),
            Item::Type(item) => Some(&item.ident),
            Item::Union(item) => Some(&item.ident),
            Item::Macro(item) => item.ident.as_ref(),
            _ => None,
        };
        self.items.extend(name.map(ToString::to_string));
        if let Item::Use(item) = item {
            let private = matches!(item.vis, Visibility::Inherited);
            self.import(&item.tree, &mut Vec::new(), private);
        } else {
            self.visit_item(item);
        }
    }

    fn import(&mut self, tree: &UseTree, path: &mut Vec<String>, private: bool) {
        let (name, source) = match tree {
            UseTree::Path(tree) => {
                path.push(tree.ident.to_string());
                self.import(&tree.tree, path, private);
                path.pop();
                return;
            }
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, path, private);
                }
                return;
            }
            UseTree::Glob(_) => {
                self.globs.push(path.clone());
                return;
            }
            UseTree::Name(tree) => (tree.ident.to_string(), tree.ident.to_string()),
            UseTree::Rename(tree) => (tree.rename.to_string(), tree.ident.to_string()),
        };
        let mut full = path.clone();
        let name = if source == "self" {
            full.last().cloned().unwrap_or_default()
        } else {
            full.push(source);
            name
        };
        if private {
            self.named.push(full.clone());
        }
        self.imports.insert(name, full);
    }
}

impl<'ast> Visit<'ast> for Module {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        let segments = path.segments.iter();
        self.named
            .push(segments.map(|segment| segment.ident.to_string()).collect());
        visit::visit_path(self, path);
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.import(&item.tree, &mut Vec::new(), true);
    }
}

/// Returns the strongly connected components of more than one file.
fn components(edges: &[BTreeSet<usize>]) -> Vec<Vec<usize>> {
    let reach: Vec<BTreeSet<usize>> = (0..edges.len()).map(|file| reachable(edges, file)).collect();
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for file in 0..edges.len() {
        if seen.contains(&file) || !reach[file].contains(&file) {
            continue;
        }
        let circle: Vec<usize> = reach[file]
            .iter()
            .copied()
            .filter(|other| reach[*other].contains(&file))
            .collect();
        seen.extend(circle.iter().copied());
        found.push(circle);
    }
    found
}

/// Returns the files that `file` reaches by one or more edges.
fn reachable(edges: &[BTreeSet<usize>], file: usize) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    let mut pending: Vec<usize> = edges[file].iter().copied().collect();
    while let Some(next) = pending.pop() {
        if found.insert(next) {
            pending.extend(&edges[next]);
        }
    }
    found
}
