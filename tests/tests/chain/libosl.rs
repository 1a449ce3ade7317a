//! A reader that follows the rules of OpenScop's own library (libosl, of December 2021 and later), which Pluto,
//! Candl, Clay and CLooG use. It is stricter than our reader: names of tags are letters and `_`, a dependence has
//! eight sizes, lines are short, and extensions that the library does not know are lost.

/// The most characters that the library reads of a line.
const LONGEST_LINE: usize = 2047;

/// The extensions that the library knows.
const KNOWN: [&str; 11] = [
    "arrays",
    "body",
    "comment",
    "coordinates",
    "dependence",
    "extbody",
    "irregular",
    "lines",
    "loop",
    "scatnames",
    "strings",
];

/// A scop as the library stores it. What the library stores as text is text here.
pub struct Scop {
    /// Language, context and parameters.
    head: String,
    /// The statements.
    pub statements: Vec<Statement>,
    /// The extensions that the library knows: tag and content.
    pub extensions: Vec<(String, String)>,
    /// The tags of the extensions that the library drops.
    pub dropped: Vec<String>,
    /// The number of dependences.
    pub dependences: usize,
}

/// A statement.
pub struct Statement {
    /// The type and the text of every relation.
    pub relations: Vec<(String, String)>,
    extensions: Vec<(String, String)>,
}

impl Scop {
    /// Returns what the library writes: everything that it understood.
    pub fn print(&self) -> String {
        let tagged = |(tag, content): &(String, String)| format!("<{tag}>\n{content}</{tag}>\n");
        let mut text = format!("<OpenScop>\n{}{}\n", self.head, self.statements.len());
        for statement in &self.statements {
            text += &format!("{}\n", statement.relations.len());
            statement.relations.iter().for_each(|(_, relation)| text += relation);
            text += &format!("{}\n", statement.extensions.len());
            statement.extensions.iter().for_each(|extension| text += &tagged(extension));
        }
        self.extensions.iter().for_each(|extension| text += &tagged(extension));
        text + "</OpenScop>\n"
    }

    /// Replaces the scatterings of the statements, in their order.
    pub fn scatter(&mut self, scatterings: &[&str]) {
        for (statement, scattering) in self.statements.iter_mut().zip(scatterings) {
            let relation =
                statement.relations.iter_mut().find(|(kind, _)| kind == "SCATTERING").expect("one");
            relation.1 = format!("SCATTERING\n{scattering}");
        }
    }
}

/// Reads the first scop of a text, wherever it starts.
pub fn read(text: &str) -> Scop {
    let (_, text) = text.split_once("<OpenScop>").expect("no scop in the text");
    let (text, _) = text.split_once("</OpenScop>").expect("the scop does not end");
    let mut reader = Reader { rest: text };
    let mut head = format!("{}\n", reader.line());
    head += &reader.relation().1;
    let named = reader.integer();
    head += &format!("{named}\n");
    if named > 0 {
        let (tag, content) = reader.extension();
        assert_eq!(tag, "strings");
        head += &format!("<strings>\n{content}</strings>\n");
    }
    let statements = (0..reader.integer()).map(|_| reader.statement()).collect();
    let mut scop = Scop { head, statements, extensions: Vec::new(), dropped: Vec::new(), dependences: 0 };
    while !reader.is_at_end() {
        let (tag, content) = reader.extension();
        assert!(scop.extensions.iter().all(|(other, _)| *other != tag), "the library refuses a second {tag}");
        if !KNOWN.contains(&tag.as_str()) {
            scop.dropped.push(tag);
            continue;
        }
        match tag.as_str() {
            "dependence" => scop.dependences = dependences(&content),
            "arrays" => arrays(&content),
            "coordinates" => coordinates(&content),
            _ => {}
        }
        scop.extensions.push((tag, content));
    }
    scop
}

fn dependences(content: &str) -> usize {
    let mut reader = Reader { rest: content };
    let count = reader.integer();
    for _ in 0..count {
        let kind = reader.word().to_owned();
        assert!(["RAW", "WAR", "WAW", "RAR"].contains(&kind.as_str()), "no kind of dependence: {kind}");
        let _statements_depth_and_accesses: Vec<i64> = (0..5).map(|_| reader.integer()).collect();
        let sizes: Vec<i64> = (0..8).map(|_| reader.integer()).collect();
        let (shape, _) = reader.relation();
        let [output, input, local] = [sizes[0] + sizes[1], sizes[2] + sizes[3], sizes[4..].iter().sum()];
        assert_eq!(shape[..3], [output, input, local], "the sizes are not those of the relation");
    }
    assert!(reader.is_at_end());
    usize::try_from(count).expect("a count")
}

fn arrays(content: &str) {
    let mut reader = Reader { rest: content };
    for _ in 0..reader.integer() {
        assert!(reader.integer() > 0 && !reader.word().is_empty());
    }
    assert!(reader.is_at_end());
}

fn coordinates(content: &str) {
    let mut reader = Reader { rest: content };
    assert!(!reader.line().is_empty());
    let _lines_columns_and_indentation: Vec<i64> = (0..5).map(|_| reader.integer()).collect();
    assert!(reader.is_at_end());
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn skip_blanks_and_comments(&mut self) {
        loop {
            self.rest = self.rest.trim_start();
            let Some(comment) = self.rest.strip_prefix('#') else { return };
            let (comment, rest) = comment.split_once('\n').unwrap_or((comment, ""));
            assert!(comment.len() < LONGEST_LINE, "the library cuts this line: #{comment}");
            self.rest = rest;
        }
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_blanks_and_comments();
        self.rest.is_empty()
    }

    fn word(&mut self) -> &'t str {
        self.skip_blanks_and_comments();
        let end = self.rest.find(char::is_whitespace).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn integer(&mut self) -> i64 {
        let word = self.word();
        word.parse().unwrap_or_else(|_| panic!("an int was expected, not `{word}`"))
    }

    /// Reads the rest of a line, up to a comment.
    fn line(&mut self) -> &'t str {
        self.skip_blanks_and_comments();
        let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
        assert!(line.len() <= LONGEST_LINE, "the library cuts this line: {line}");
        self.rest = rest;
        line.split('#').next().unwrap_or_default().trim()
    }

    /// Reads a name in angle brackets and the content up to its end tag.
    fn extension(&mut self) -> (String, String) {
        self.skip_blanks_and_comments();
        let rest = self.rest.strip_prefix('<').expect("a \"<\" to start a tag was expected");
        let (tag, rest) = rest.split_once('>').expect("a \">\" to end a tag was expected");
        let sound = !tag.is_empty() && tag.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
        assert!(sound, "illegal character in the tag name: {tag}");
        let (content, rest) = rest.split_once(&format!("</{tag}>")).expect("the end tag is missing");
        self.rest = rest;
        (tag.to_owned(), content.trim_start_matches('\n').to_owned())
    }

    fn statement(&mut self) -> Statement {
        let relations = (0..self.integer()).map(|_| {
            let text = self.relation().1;
            (text.split_whitespace().next().expect("a type").to_owned(), text)
        });
        let relations = relations.collect();
        let extensions = (0..self.integer()).map(|_| self.extension()).collect();
        Statement { relations, extensions }
    }

    /// Reads a relation; returns the output, input and local dimensions of its last part, and its whole text.
    fn relation(&mut self) -> ([i64; 3], String) {
        let kind = self.word();
        let kinds = ["UNDEFINED", "CONTEXT", "DOMAIN", "SCATTERING", "READ", "WRITE", "MAY_WRITE"];
        assert!(kinds.contains(&kind), "no type of a relation: {kind}");
        let mut text = format!("{kind}\n");
        let first = self.line();
        let parts = match numbers(first)[..] {
            [parts] => {
                text += &format!("{parts}\n");
                parts
            }
            _ => 1,
        };
        let mut shape = [0; 3];
        for part in 0..parts {
            let head = if part == 0 && numbers(first).len() > 1 { first } else { self.line() };
            let [rows, columns, output, input, local, parameters] = numbers(head)[..] else {
                panic!("six numbers were expected: {head}")
            };
            assert_eq!(columns, output + input + local + parameters + 2);
            text += &format!("{head}\n");
            for _ in 0..rows {
                let row = self.line();
                assert_eq!(i64::try_from(numbers(row).len()), Ok(columns), "{row}");
                text += &format!("{row}\n");
            }
            shape = [output, input, local];
        }
        (shape, text)
    }
}

fn numbers(line: &str) -> Vec<i64> {
    line.split_whitespace()
        .map(|word| word.parse().unwrap_or_else(|_| panic!("no number in `{line}`")))
        .collect()
}
