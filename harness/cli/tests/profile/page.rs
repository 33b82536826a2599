//! Shows the page of a program in a browser.

use super::{text, told};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Writes a page of ten frames.
fn page(folder: &Path, name: &str) -> PathBuf {
    let elf = format!("{}/../../roms/console/{name}.elf", env!("CARGO_MANIFEST_DIR"));
    let page = folder.join(format!("{name}.html"));
    let export = format!("--export=html={}", page.display());
    told(&["profile", "--elf", &elf, "--frames", "10..20", &export]);
    page
}

/// Returns the elements that the page's script has created, after Chromium has run `script`; `None` without
/// Chromium. `SWIRL_CHROMIUM` names another binary.
fn elements(page: &Path, script: &str) -> Option<String> {
    let browser = std::env::var("SWIRL_CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
    let file = page.with_extension("script.html");
    let whole = std::fs::read_to_string(page).unwrap();
    std::fs::write(&file, format!("{whole}<script>{script}</script>")).unwrap();
    let user = page.with_extension("user");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--disable-background-networking", "--dump-dom"])
        .arg(format!("--user-data-dir={}", user.display()))
        .arg(format!("file://{}", file.display()))
        .output()
        .ok()?;
    let dom = text(&output.stdout);
    let shown = dom
        .split_once("<div id=\"page\">")
        .and_then(|(_, rest)| rest.split_once("<script"));
    Some(shown.unwrap_or_else(|| panic!("{dom}")).0.to_owned())
}

/// The first lines, the bars and the colours must show which program thrashes the cache. A click must show a
/// frame, and a function.
#[test]
fn pages_show_which_program_thrashes_the_cache() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("program-page");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let [spin, thrash] = ["spin", "spin_thrash"].map(|name| page(&folder, name));
    let Some(plain) = elements(&spin, "") else {
        println!("pages: 0 opened, no chromium is installed");
        return;
    };
    let hot = "rgba(224, 60, 30, 0.75)";
    assert!(
        plain.contains("0 operand cache misses a frame. First function: send_block"),
        "{plain}"
    );
    assert!(plain.contains("Operand cache misses, none:"), "{plain}");
    let page = elements(&thrash, "").unwrap();
    assert!(
        page.contains("4,166 operand cache misses a frame. First function: thrash"),
        "{page}"
    );
    assert!(
        page.contains("Operand cache misses, up to 4,166 a frame:"),
        "{page}"
    );
    let full = format!("height: 100%; background: {hot}");
    let bars = [&plain, &page].map(|page| page.matches(&full).count());
    assert_eq!(bars, [0, 10], "bars of misses");
    // In both programs the cycles of the first function and the stalls of the first owner are red; misses
    // only in one.
    let cell = |text: &str| format!("<td style=\"background: {hot};\">{text}</td>");
    for (text, red) in [
        ("88,660", [true, false]),
        ("41,120", [false, true]),
        ("40,960", [false, true]),
    ] {
        assert_eq!(
            [&plain, &page].map(|page| page.contains(&cell(text))),
            red,
            "{text}"
        );
    }
    for page in [&plain, &page] {
        assert_eq!(page.matches("aria-label=\"frame 13\"").count(), 2);
        assert_eq!(page.matches("aria-pressed=\"true\"").count(), 0);
        assert!(page.contains("cycles in code without a source line"));
    }
    let click = "document.querySelectorAll('#bars button')[3].click();\
                 document.querySelector('tbody tr[tabindex]').click();";
    let frame = elements(&thrash, click).unwrap();
    assert!(frame.contains("<h2>Frame 13 "), "{frame}");
    assert!(frame.contains("Source of thrash") && frame.contains("thrash: no source lines are known."));
    assert_eq!(frame.matches("aria-pressed=\"true\"").count(), 2);
    println!("pages: 3 opened in chromium");
}
