const LIB = `pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n`
const tests = (name, body, module = 'tests') => ({ name, is: 'red', files: { 'src/lib.rs': `${LIB}\n#[cfg(test)]\nmod ${module} {\n    use super::*;\n\n${body}}\n` } })
const test = (name, body) => `    #[test]\n    fn ${name}() {\n        ${body}\n    }\n`
const library = (name, text) => ({ name, is: 'red', argv: ['cargo', 'check'], files: { 'src/lib.rs': text } })
const single = (name, text, path = 'main.rs') => ({ name, is: 'red', argv: ['rustc', '--emit=metadata', path], files: { [path]: text } })

export const rust = [
  {
    id: 'cargo',
    needs: 'cargo',
    argv: ['cargo', 'test', '--lib'],
    files: { 'Cargo.toml': '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n', 'src/lib.rs': LIB },
    faults: [
      tests('a sum', test('adds', 'assert_eq!(add(1, 1), 3);')),
      tests('another sum', test('adds', 'assert_eq!(add(1, 1), 4);')),
      tests('another test', test('adds_up', 'assert_eq!(add(1, 1), 3);')),
      tests('another module', test('adds', 'assert_eq!(add(1, 1), 3);'), 'sums'),
      tests('words of its own', test('adds', 'assert_eq!(add(1, 1), 3, "the sum is off");')),
      tests('a panic', test('loads', 'panic!("no rows in {}", add(1, 1));')),
      tests('an absent value', test('loads', 'let none: Option<i32> = None; none.unwrap();')),
      tests('an index', test('loads', 'let v: Vec<i32> = vec![1]; let i = v.len() + 2; println!("{}", v[i]);')),
      library('a type', `pub fn f() -> i32 {\n    "text"\n}\n`),
      library('another type', `pub fn f() -> bool {\n    "text"\n}\n`),
      library('a name', `pub fn f() {\n    nope();\n}\n`),
      library('a moved value', `pub fn f(v: Vec<i32>) -> Vec<i32> {\n    let w = v;\n    drop(w);\n    v\n}\n`),
      library('a module', `pub mod nowhere;\n`),
      { ...library('a manifest', LIB), files: { 'Cargo.toml': '[package]\nname = "app"\n[nope\n' } },
      { name: 'an option', is: 'usage', argv: ['cargo', 'test', '--nope'] },
      { name: 'a verb', is: null, argv: ['cargo', 'frobnicate'] },
    ],
  },
  {
    id: 'rustc',
    needs: 'rustc',
    argv: ['rustc', '--emit=metadata', 'main.rs'],
    files: {},
    faults: [
      single('a type', 'fn main() {\n    let _x: i32 = "a";\n}\n'),
      single('another type', 'fn main() {\n    let _x: bool = "a";\n}\n'),
      single('in another file', 'fn main() {\n    let _x: i32 = "a";\n}\n', 'tool.rs'),
      single('a name', 'fn main() {\n    nope();\n}\n'),
      single('another name', 'fn main() {\n    other();\n}\n'),
      single('a moved value', 'fn main() {\n    let v = vec![1];\n    let _w = v;\n    println!("{:?}", v);\n}\n'),
      single('a borrow', 'fn main() {\n    let v = 1;\n    let r = &mut v;\n    *r = 2;\n}\n'),
      single('syntax', 'fn main() {\n    let x = ;\n}\n'),
      single('a field', 'struct A {}\nfn main() {\n    let a = A {};\n    a.nope;\n}\n'),
      single('a crate', 'use nope::thing;\nfn main() {\n    thing();\n}\n'),
      { name: 'no source', is: 'path-missing', argv: ['rustc', 'nowhere.rs'] },
      { name: 'an option', is: 'usage', argv: ['rustc', '--nope', 'main.rs'] },
    ],
  },
]
