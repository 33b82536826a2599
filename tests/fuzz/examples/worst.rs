//! Runs one worst input, for tools that count instructions (`fuzz/linear.sh`): `worst NUMBER PARTS`. Without
//! arguments it lists the inputs. With a third argument it only makes the input.

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(index) = arguments.first() else {
        fuzz::WORST
            .iter()
            .enumerate()
            .for_each(|(n, (name, _))| println!("{n} {name}"));
        return;
    };
    let parsed = index.parse().ok().and_then(|index: usize| fuzz::WORST.get(index));
    let parts = arguments.get(1).and_then(|parts| parts.parse().ok());
    let (Some((name, input)), Some(parts)) = (parsed, parts) else {
        eprintln!("usage: worst NUMBER PARTS [none]");
        std::process::exit(2);
    };
    let bytes = input(parts);
    if let Some(target) = fuzz::target(name).filter(|_| arguments.len() < 3) {
        (target.run)(&bytes);
    }
}
