//! JavaScript and TypeScript: the terms in which charts are written, by a real parser. Knows `oxc_parser`.

mod declarations;
mod statements;

pub(crate) use declarations::DEFAULT;
use statements::collect_names;

use super::codes;
use super::term::{Body, Entry, Pattern, Repeated, SPREAD, Statement, Term, TermKind, find_repeated};
use crate::diagnostic::Diagnostic;
use crate::op::BinaryOp;
use crate::span::{SourceFile, Span};
use oxc_allocator::Allocator;
use oxc_ast::ast;
use oxc_diagnostics::OxcDiagnostic;
use oxc_parser::{ParseOptions, Parser};
use oxc_span::{GetSpan, SourceType};
use oxc_syntax::operator::{BinaryOperator, LogicalOperator, UnaryOperator};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Maximal size of a script, in bytes.
const MAX_SIZE: usize = 1 << 19;

/// Bytes of stack for each byte of a script: the parser is recursive, and this is more than it takes for any text.
const STACK_PER_BYTE: usize = 3 << 10;

/// Maximal number of statements in cases of `switch`.
const MAX_CASES: usize = 5000;

/// Maximal depth of terms.
const MAX_DEPTH: usize = 120;

/// What a script declares at its top level.
#[derive(Debug, Default)]
pub(crate) struct Script {
    /// The constants and functions, by name.
    pub(crate) constants: Vec<(Arc<str>, Term)>,
    /// The expressions that may have a machine: values of declarations and exports, in written order.
    pub(crate) values: Vec<Value>,
    /// What is exported: the name for others, and the one in the script.
    pub(crate) exports: Vec<(Arc<str>, Arc<str>)>,
    /// The comments.
    pub(crate) comments: Vec<Span>,
    /// The keys that objects have twice.
    pub(crate) repeated: Vec<Repeated>,
}

/// An expression at the top level of a script.
#[derive(Debug)]
pub(crate) struct Value {
    /// What the script calls it.
    pub(crate) name: Option<Arc<str>>,
    /// Whether a function of this name returns it.
    pub(crate) is_returned: bool,
    /// The names that the function around it declares: they hide those of the script.
    pub(crate) declared: Vec<Arc<str>>,
    pub(crate) term: Term,
}

impl Value {
    fn of(name: Option<Arc<str>>, term: Term) -> Value {
        Value { name, is_returned: false, declared: term.declared(), term }
    }

    /// The constants of a script that it may refer to.
    pub(crate) fn visible(&self, constants: &[(Arc<str>, Term)]) -> Option<Vec<(Arc<str>, Term)>> {
        let is_hidden = |name: &Arc<str>| self.declared.contains(name);
        let is_any = constants.iter().any(|(name, _)| is_hidden(name));
        is_any.then(|| constants.iter().filter(|(name, _)| !is_hidden(name)).cloned().collect())
    }
}

/// Reads a script.
pub(crate) fn parse(source: &SourceFile) -> Result<Script, Box<Diagnostic>> {
    // Every script is read as TypeScript, which has all of JavaScript; only JSX is at odds with it.
    let extension = source.name.rsplit('.').next().unwrap_or_default();
    let is_jsx = matches!(extension, "tsx" | "jsx");
    let kind = if is_jsx { SourceType::tsx() } else { SourceType::ts() };
    with_stack(source, |allocator| {
        let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
        let parsed = Parser::new(allocator, &source.text, kind).with_options(options).parse();
        if let Some(error) = parsed.errors.first() {
            return Err(Box::new(syntax_error(source, error)));
        }
        let converter = Converter::at(Place::From(source.start));
        let comments = parsed.program.comments.iter().map(|comment| converter.span(comment.span)).collect();
        let mut script = Script { comments, ..Script::default() };
        for statement in &parsed.program.body {
            converter.statement(statement, &mut script);
        }
        script.repeated = converter.repeated.take();
        Ok(script)
    })
}

/// Reads an expression that is written as a text in a file, such as the condition of an SCXML transition. All its parts
/// have the place of the text.
pub(crate) fn parse_text(text: &str, span: Span) -> Result<Term, Box<Diagnostic>> {
    if text.len() > MAX_SIZE {
        return Err(Box::new(Diagnostic::error(codes::TOO_LARGE, span, "the expression is too long")));
    }
    let size = (1 << 20) + text.len() * STACK_PER_BYTE;
    stacker::grow(size, || {
        let allocator = Allocator::default();
        let parse = |preserve_parens: bool| {
            let options = ParseOptions { preserve_parens, ..ParseOptions::default() };
            Parser::new(&allocator, text, SourceType::mjs()).with_options(options).parse_expression()
        };
        // The parser stops where the expression does. With its parentheses, that is known.
        let end = parse(true).map_or(text.len(), |whole| whole.span().end as usize);
        if text.get(end..).is_some_and(|rest| !rest.trim().is_empty()) {
            let message = "this is not an expression: there is more text after its end";
            return Err(Box::new(Diagnostic::error(codes::SYNTAX, span, message)));
        }
        match parse(false) {
            Ok(expression) => Ok(Converter::at(Place::Fixed(span)).term(&expression, 0)),
            Err(errors) => {
                let message = errors.first().map_or_else(String::new, |error| plain(&error.message));
                Err(Box::new(Diagnostic::error(codes::SYNTAX, span, format!("this is not an expression: {message}"))))
            }
        }
    })
}

/// Functions by name, each with the names that it declares.
pub(crate) type Functions = FxHashMap<Arc<str>, (Term, Vec<Arc<str>>)>;

/// Reads statements that are written as a text in a file: functions, assignments, declarations, conditions and calls.
/// Nothing if there are others.
pub(crate) fn parse_statements(text: &str, span: Span) -> Option<(Functions, Vec<Statement>)> {
    if text.len() > MAX_SIZE {
        return None;
    }
    let size = (1 << 20) + text.len() * STACK_PER_BYTE;
    stacker::grow(size, || {
        let allocator = Allocator::default();
        let options = ParseOptions { preserve_parens: false, ..ParseOptions::default() };
        let parsed = Parser::new(&allocator, text, SourceType::cjs()).with_options(options).parse();
        if !parsed.errors.is_empty() {
            return None;
        }
        let converter = Converter::at(Place::Fixed(span));
        let mut functions = Functions::default();
        let mut statements = Vec::new();
        for statement in &parsed.program.body {
            if !converter.functions(statement, &mut functions) {
                statements.extend(converter.block(std::slice::from_ref(statement), 0)?);
            }
        }
        Some((functions, statements))
    })
}

/// Runs a parser that is recursive, with as much stack as the text can need.
fn with_stack<T>(
    source: &SourceFile,
    run: impl FnOnce(&Allocator) -> Result<T, Box<Diagnostic>>,
) -> Result<T, Box<Diagnostic>> {
    source.budget.look();
    if source.text.len() > MAX_SIZE {
        let start = source.start;
        let message = format!("the file has more than {MAX_SIZE} bytes");
        return Err(Box::new(Diagnostic::error(codes::TOO_LARGE, Span::new(start, start), message)));
    }
    let size = (1 << 20) + source.text.len() * STACK_PER_BYTE;
    stacker::grow(size, || run(&Allocator::default()))
}

fn syntax_error(source: &SourceFile, error: &OxcDiagnostic) -> Diagnostic {
    let label = error.labels.as_ref().and_then(|labels| labels.first());
    let length = source.text.len();
    let place = |at: usize| {
        let at = at.min(length);
        (0..=at).rev().find(|at| source.text.is_char_boundary(*at)).unwrap_or(0) as u32
    };
    let (start, end) = label.map_or((0, 0), |label| (place(label.offset()), place(label.offset() + label.len())));
    let span = Span::new(source.start + start, source.start + end.max(start));
    Diagnostic::error(codes::SYNTAX, span, plain(&error.message))
}

/// A message of the parser in the form of ours: a lowercase fragment without a final dot.
fn plain(message: &str) -> String {
    let message = message.trim().trim_end_matches('.');
    let mut chars = message.chars();
    match chars.next() {
        Some(first) if chars.clone().next().is_some_and(char::is_lowercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => message.to_owned(),
    }
}

/// Where the places of a script are.
enum Place {
    /// From this position on.
    From(u32),
    /// All at this one.
    Fixed(Span),
}

struct Converter {
    place: Place,
    /// The number of statements in cases that are still read. A case that goes on with the next one has its statements, too.
    cases_left: Cell<usize>,
    /// The keys that objects have twice.
    repeated: RefCell<Vec<Repeated>>,
}

impl Converter {
    fn at(place: Place) -> Converter {
        Converter { place, cases_left: Cell::new(MAX_CASES), repeated: RefCell::default() }
    }

    fn span(&self, span: oxc_span::Span) -> Span {
        match self.place {
            Place::From(base) => Span::new(base + span.start, base + span.end),
            Place::Fixed(span) => span,
        }
    }

    fn terms<'a>(&self, arguments: impl Iterator<Item = &'a ast::Argument<'a>>, depth: usize) -> Vec<Term> {
        let one = |argument: &ast::Argument<'a>| match argument.as_expression() {
            Some(expression) => self.term(expression, depth),
            None => Term { kind: SPREAD, span: self.span(argument.span()) },
        };
        arguments.map(one).collect()
    }

    fn term(&self, expression: &ast::Expression<'_>, depth: usize) -> Term {
        let span = self.span(expression.span());
        if depth > MAX_DEPTH {
            return Term { kind: TermKind::Other("something nested too deeply"), span };
        }
        let depth = depth + 1;
        let inner = |expression: &ast::Expression<'_>| Box::new(self.term(expression, depth));
        let kind = match expression {
            ast::Expression::BooleanLiteral(literal) => TermKind::Bool(literal.value),
            ast::Expression::NullLiteral(_) => TermKind::Null,
            ast::Expression::NumericLiteral(literal) => TermKind::Number(literal.value),
            ast::Expression::StringLiteral(literal) => TermKind::Text(literal.value.as_str().into()),
            ast::Expression::TemplateLiteral(template) => self.template(template, depth),
            ast::Expression::Identifier(name) if name.name == "undefined" => TermKind::Undefined,
            ast::Expression::Identifier(name) => TermKind::Name(name.name.as_str().into()),
            ast::Expression::ArrayExpression(array) => self.array(array, depth),
            ast::Expression::ObjectExpression(object) => self.object(object, depth),
            ast::Expression::ArrowFunctionExpression(function) => {
                let body = match (function.expression, &function.body.statements[..]) {
                    (true, [ast::Statement::ExpressionStatement(statement)]) if !function.r#async => {
                        Body::Value(inner(&statement.expression))
                    }
                    (false, statements) if !function.r#async => self.body(statements, depth),
                    _ => Body::Code,
                };
                TermKind::Function(self.patterns(&function.params, depth), body)
            }
            ast::Expression::FunctionExpression(function) => self.function(function, depth),
            ast::Expression::ParenthesizedExpression(inner) => return self.term(&inner.expression, depth),
            ast::Expression::TSAsExpression(inner) => return self.term(&inner.expression, depth),
            ast::Expression::TSSatisfiesExpression(inner) => return self.term(&inner.expression, depth),
            ast::Expression::TSTypeAssertion(inner) => return self.term(&inner.expression, depth),
            ast::Expression::TSNonNullExpression(inner) => return self.term(&inner.expression, depth),
            ast::Expression::TSInstantiationExpression(inner) => return self.term(&inner.expression, depth),
            ast::Expression::ChainExpression(chain) => match &chain.expression {
                ast::ChainElement::CallExpression(_) | ast::ChainElement::PrivateFieldExpression(_) => {
                    TermKind::Other("a call")
                }
                ast::ChainElement::TSNonNullExpression(inner) => return self.term(&inner.expression, depth),
                ast::ChainElement::StaticMemberExpression(member) => self.member(member, depth),
                ast::ChainElement::ComputedMemberExpression(_) => TermKind::Other("an operator"),
            },
            ast::Expression::CallExpression(call) if call.optional => TermKind::Other("a call"),
            ast::Expression::CallExpression(call) => {
                TermKind::Call(inner(&call.callee), self.terms(call.arguments.iter(), depth))
            }
            ast::Expression::StaticMemberExpression(member) => self.member(member, depth),
            ast::Expression::ComputedMemberExpression(member) if member.optional => TermKind::Other("an operator"),
            ast::Expression::ComputedMemberExpression(member) => match &member.expression {
                ast::Expression::StringLiteral(key) => {
                    TermKind::Member(inner(&member.object), key.value.as_str().into())
                }
                key => TermKind::Index(inner(&member.object), inner(key)),
            },
            ast::Expression::UnaryExpression(unary) => match unary.operator {
                UnaryOperator::LogicalNot => TermKind::Not(inner(&unary.argument)),
                UnaryOperator::UnaryNegation => TermKind::Neg(inner(&unary.argument)),
                UnaryOperator::Void => TermKind::Undefined,
                UnaryOperator::Typeof => TermKind::Typeof(inner(&unary.argument)),
                _ => TermKind::Other("an operator"),
            },
            ast::Expression::BinaryExpression(binary) => {
                let (left, right) = (inner(&binary.left), inner(&binary.right));
                match (operator(binary.operator), binary.operator) {
                    (Some(op), _) => TermKind::Binary(op, left, right),
                    (None, BinaryOperator::Equality) => TermKind::Loose(left, right),
                    (None, BinaryOperator::Inequality) => {
                        TermKind::Not(Box::new(Term { kind: TermKind::Loose(left, right), span }))
                    }
                    (None, BinaryOperator::In) => TermKind::Has(left, right),
                    (None, _) => TermKind::Other("an operator"),
                }
            }
            ast::Expression::LogicalExpression(logical) => match logical.operator {
                LogicalOperator::And => TermKind::Binary(BinaryOp::And, inner(&logical.left), inner(&logical.right)),
                LogicalOperator::Or => TermKind::Binary(BinaryOp::Or, inner(&logical.left), inner(&logical.right)),
                LogicalOperator::Coalesce => TermKind::Coalesce(inner(&logical.left), inner(&logical.right)),
            },
            ast::Expression::ConditionalExpression(conditional) => TermKind::Conditional(
                inner(&conditional.test),
                inner(&conditional.consequent),
                inner(&conditional.alternate),
            ),
            _ => TermKind::Other("code"),
        };
        Term { kind, span }
    }

    fn member(&self, member: &ast::StaticMemberExpression<'_>, depth: usize) -> TermKind {
        let (object, key) = (Box::new(self.term(&member.object, depth)), member.property.name.as_str().into());
        if member.optional { TermKind::Optional(object, key) } else { TermKind::Member(object, key) }
    }

    /// A template, as the sum of its parts.
    fn template(&self, template: &ast::TemplateLiteral<'_>, depth: usize) -> TermKind {
        if depth + template.expressions.len() > MAX_DEPTH {
            return TermKind::Other("a template");
        }
        let mut sum: Option<Term> = None;
        for (at, quasi) in template.quasis.iter().enumerate() {
            let Some(text) = &quasi.value.cooked else { return TermKind::Other("a template") };
            let text = Term { kind: TermKind::Text(text.as_str().into()), span: self.span(quasi.span) };
            let value = at.checked_sub(1).and_then(|at| template.expressions.get(at));
            for part in value.map(|value| self.term(value, depth)).into_iter().chain([text]) {
                let span = part.span;
                sum = Some(match sum {
                    // Nothing is added to a text by an empty one.
                    Some(sum) if at > 0 && part.text().is_some_and(|text| text.is_empty()) => sum,
                    Some(sum) => Term { kind: TermKind::Binary(BinaryOp::Add, Box::new(sum), Box::new(part)), span },
                    None => part,
                });
            }
        }
        sum.map_or(TermKind::Other("a template"), |sum| sum.kind)
    }

    fn array(&self, array: &ast::ArrayExpression<'_>, depth: usize) -> TermKind {
        let one = |element: &ast::ArrayExpressionElement<'_>| match element {
            ast::ArrayExpressionElement::SpreadElement(spread) => Term {
                kind: TermKind::Spread(Box::new(self.term(&spread.argument, depth))),
                span: self.span(spread.span),
            },
            element => match element.as_expression() {
                Some(expression) => self.term(expression, depth),
                None => Term { kind: TermKind::Other("a hole"), span: self.span(element.span()) },
            },
        };
        TermKind::Array(array.elements.iter().map(one).collect())
    }

    fn object(&self, object: &ast::ObjectExpression<'_>, depth: usize) -> TermKind {
        let mut entries = Vec::new();
        for property in &object.properties {
            match property {
                ast::ObjectPropertyKind::ObjectProperty(property) => {
                    let key = if property.computed { None } else { property.key.static_name() };
                    let key = key.map(|key| Arc::from(&*key));
                    let computed = property.key.as_expression().filter(|_| property.computed);
                    let computed = computed.map(|key| Box::new(self.term(key, depth)));
                    let value = match property.kind {
                        ast::PropertyKind::Init => self.term(&property.value, depth),
                        _ => Term { kind: TermKind::Other("an accessor"), span: self.span(property.span) },
                    };
                    let key_span = self.span(property.key.span());
                    entries.push(Entry { key, computed, is_spread: false, key_span, value });
                }
                ast::ObjectPropertyKind::SpreadProperty(spread) => {
                    let value = self.term(&spread.argument, depth);
                    let key_span = self.span(spread.span);
                    entries.push(Entry { key: None, computed: None, is_spread: true, key_span, value });
                }
            }
        }
        find_repeated(&entries, &mut self.repeated.borrow_mut());
        TermKind::Object(entries)
    }

    fn function(&self, function: &ast::Function<'_>, depth: usize) -> TermKind {
        let is_plain = !function.r#async && !function.generator;
        let body = function.body.as_ref().filter(|_| is_plain);
        let body = body.map_or(Body::Code, |body| self.body(&body.statements, depth));
        TermKind::Function(self.patterns(&function.params, depth), body)
    }

    /// A body of statements, which has a value if it does nothing but return one.
    fn body(&self, statements: &[ast::Statement<'_>], depth: usize) -> Body {
        match statements {
            [ast::Statement::ReturnStatement(ret)] => match &ret.argument {
                Some(value) => Body::Value(Box::new(self.term(value, depth))),
                None => Body::Code,
            },
            _ => self.block(statements, depth).map_or(Body::Code, Body::Block),
        }
    }
}

fn operator(operator: BinaryOperator) -> Option<BinaryOp> {
    Some(match operator {
        BinaryOperator::StrictEquality => BinaryOp::Eq,
        BinaryOperator::StrictInequality => BinaryOp::Ne,
        BinaryOperator::LessThan => BinaryOp::Lt,
        BinaryOperator::LessEqualThan => BinaryOp::Le,
        BinaryOperator::GreaterThan => BinaryOp::Gt,
        BinaryOperator::GreaterEqualThan => BinaryOp::Ge,
        BinaryOperator::Addition => BinaryOp::Add,
        BinaryOperator::Subtraction => BinaryOp::Sub,
        BinaryOperator::Multiplication => BinaryOp::Mul,
        BinaryOperator::Remainder => BinaryOp::Mod,
        _ => return None,
    })
}

/// A pattern whose names are declared, and nothing else is known of.
fn other(binding: &ast::BindingPattern<'_>) -> Pattern {
    let mut names = Vec::new();
    collect_names(binding, &mut names);
    Pattern::Other(names)
}

impl Converter {
    /// The parameters of a function.
    fn patterns(&self, params: &ast::FormalParameters<'_>, depth: usize) -> Vec<Pattern> {
        let one = |param: &ast::FormalParameter<'_>| {
            let own = self.pattern(&param.pattern, depth);
            match &param.initializer {
                Some(value) => Pattern::Default(Box::new(own), Box::new(self.term(value, depth))),
                None => own,
            }
        };
        let rest = params.rest.iter().map(|rest| other(&rest.rest.argument));
        params.items.iter().map(one).chain(rest).collect()
    }

    fn pattern(&self, binding: &ast::BindingPattern<'_>, depth: usize) -> Pattern {
        match binding {
            ast::BindingPattern::BindingIdentifier(name) => Pattern::Name(name.name.as_str().into()),
            ast::BindingPattern::ObjectPattern(object) if depth < MAX_DEPTH => {
                // What has no key that is known is no part of any object.
                let field = |property: &ast::BindingProperty<'_>| match property
                    .key
                    .static_name()
                    .filter(|_| !property.computed)
                {
                    Some(key) => (Arc::from(&*key), self.pattern(&property.value, depth + 1)),
                    None => (Arc::from(""), other(&property.value)),
                };
                let rest = object.rest.iter().map(|rest| (Arc::from(""), other(&rest.argument)));
                Pattern::Object(object.properties.iter().map(field).chain(rest).collect())
            }
            ast::BindingPattern::AssignmentPattern(pattern) if depth < MAX_DEPTH => {
                let own = self.pattern(&pattern.left, depth + 1);
                Pattern::Default(Box::new(own), Box::new(self.term(&pattern.right, depth + 1)))
            }
            _ => other(binding),
        }
    }
}
