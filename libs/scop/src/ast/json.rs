//! The JSON form of the loop program's expressions: numbers, names, and lists of an operator and its operands.
//! As in Lisp, sums, differences, products and logical operations may have more than two operands, which are
//! combined from the left: `["-", "n", "i", 1]` is `(n - i) - 1`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, SeqAccess, Unexpected, Visitor};
use serde::ser::{Serialize, SerializeSeq, Serializer};

use super::{AstExpr, AstOp};

impl Serialize for AstExpr {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Int(value) => serializer.serialize_i64(*value),
            Self::Name(name) => serializer.serialize_str(name),
            Self::Op(operator, operands) => {
                let operands = from_the_left(*operator, operands);
                let mut list = serializer.serialize_seq(Some(operands.len() + 1))?;
                list.serialize_element(operator.symbol())?;
                for operand in operands {
                    list.serialize_element(operand)?;
                }
                list.end()
            }
        }
    }
}

/// The operators that have two operands in the tree, and any larger number in a list.
const CHAINED: [AstOp; 5] = [AstOp::And, AstOp::Or, AstOp::Add, AstOp::Sub, AstOp::Mul];

/// Returns the operands of an operation; if the first operand is the same operation, its operands replace it.
fn from_the_left(operator: AstOp, operands: &[AstExpr]) -> Vec<&AstExpr> {
    let (mut found, mut rest) = (Vec::new(), operands);
    while let [first, last] = rest
        && CHAINED.contains(&operator)
    {
        found.push(last);
        match first {
            AstExpr::Op(inner, inner_operands) if *inner == operator && inner_operands.len() == 2 => {
                rest = inner_operands;
            }
            _ => {
                found.push(first);
                rest = &[];
            }
        }
    }
    found.reverse();
    found.into_iter().chain(rest).collect()
}

impl<'de> Deserialize<'de> for AstExpr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl<'de> Visitor<'de> for Reader {
    type Value = AstExpr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an expression: a number of 64 bits, a name, or a list like [\"+\", \"n\", 1]")
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<AstExpr, E> {
        Ok(AstExpr::Int(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<AstExpr, E> {
        let signed = i64::try_from(value);
        signed.map(AstExpr::Int).map_err(|_| E::invalid_value(Unexpected::Unsigned(value), &self))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<AstExpr, E> {
        let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if name.starts_with(|c: char| letter(c) && !c.is_ascii_digit()) && name.chars().all(letter) {
            return Ok(AstExpr::Name(name.to_owned()));
        }
        Err(E::invalid_value(Unexpected::Str(name), &self))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<AstExpr, A::Error> {
        let symbol: Cow<'_, str> = list.next_element()?.ok_or_else(|| A::Error::invalid_length(0, &self))?;
        let mut operands = Vec::with_capacity(list.size_hint().unwrap_or(0).min(8));
        while let Some(operand) = list.next_element()? {
            operands.push(operand);
        }
        let operator = match (&*symbol, operands.len()) {
            ("-", 1) => AstOp::Minus,
            _ => AstOp::symbols()
                .find(|(_, known)| *known == symbol)
                .map(|(operator, _)| operator)
                .ok_or_else(|| A::Error::custom(format!("there is no operator `{symbol}`")))?,
        };
        if !CHAINED.contains(&operator) || operands.len() < 2 {
            return Ok(AstExpr::Op(operator, operands));
        }
        let mut operands = operands.into_iter();
        let first = operands.next().ok_or_else(|| A::Error::invalid_length(1, &self))?;
        Ok(operands.fold(first, |left, right| AstExpr::Op(operator, vec![left, right])))
    }
}

impl JsonSchema for AstExpr {
    fn schema_name() -> Cow<'static, str> {
        "AstExpr".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let operand = generator.subschema_for::<Self>();
        let symbols: Vec<&str> = AstOp::symbols().map(|(_, symbol)| symbol).collect();
        json_schema!({
            "description": "An integer expression of the loop program, over iterators, parameters and `bx … tz`: a \
                            constant, a name, or a list of an operator and its operands. `-` with one operand is \
                            negation; `and`, `or`, `+`, `-` and `*` may have more than two, from the left; `exactdiv` has no remainder, `floordiv` rounds towards minus infinity, \
                            `posdiv` and `posmod` have a dividend that is not negative, and of `zeromod` only the \
                            comparison with zero matters.",
            "anyOf": [
                { "type": "integer" },
                { "type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$" },
                { "type": "array", "prefixItems": [{ "enum": symbols }], "items": operand, "minItems": 2 },
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trees_are_lists_with_the_operator_first() {
        for (text, json) in [
            ("0", "0"),
            ("-5", "-5"),
            ("n", "\"n\""),
            ("32 * bx + tx <= n - 1", r#"["<=",["+",["*",32,"bx"],"tx"],["-","n",1]]"#),
            ("n - i - 1 + m", r#"["+",["-","n","i",1],"m"]"#),
            ("a + (b + c) + d", r#"["+","a",["+","b","c"],"d"]"#),
            ("2 * a * b", r#"["*",2,"a","b"]"#),
            ("a < b and c < d and e < f", r#"["and",["<","a","b"],["<","c","d"],["<","e","f"]]"#),
            ("-n", r#"["-","n"]"#),
            ("-(-n)", r#"["-",["-","n"]]"#),
            ("-(5)", r#"["-",5]"#),
            ("max(a, b + 1, -3)", r#"["max","a",["+","b",1],-3]"#),
            (
                "select(a < b or c == 0, zeromod(a, 2), 1)",
                r#"["select",["or",["<","a","b"],["==","c",0]],["zeromod","a",2],1]"#,
            ),
        ] {
            let tree: AstExpr = text.parse().unwrap();
            assert_eq!(serde_json::to_string(&tree).unwrap(), json);
            assert_eq!(serde_json::from_str::<AstExpr>(json).unwrap(), tree);
        }
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        let wrong = [
            ("9223372036854775808", "64 bits"),
            ("1.5", "floating point"),
            ("true", "boolean"),
            ("\"n - 1\"", "\"n - 1\""),
            ("\"\"", "string"),
            ("[]", "length 0"),
            ("[1, 2]", "integer"),
            (r#"["/", "n", 2]"#, "no operator `/`"),
            (r#"["+", "n", null]"#, "null"),
        ];
        for (json, said) in wrong {
            let error = serde_json::from_str::<AstExpr>(json).unwrap_err().to_string();
            assert!(error.contains(said), "{json}: {error}");
        }
    }
}
