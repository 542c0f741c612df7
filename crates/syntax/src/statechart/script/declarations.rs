//! What a script declares and exports at its top level.

use super::{Converter, Functions, Script, Value, collect_names};
use crate::statechart::term::{Entry, Term, TermKind};
use oxc_ast::ast;
use oxc_span::GetSpan;
use std::sync::Arc;

/// The name of the default export.
pub(crate) const DEFAULT: &str = "default";

impl Converter {
    /// Adds the functions that a statement declares, if it does nothing else.
    pub(super) fn functions(&self, statement: &ast::Statement<'_>, all: &mut Functions) -> bool {
        match statement {
            ast::Statement::FunctionDeclaration(function) => {
                let Some(name) = &function.id else { return false };
                let term = Term { kind: self.function(function, 0), span: self.span(function.span) };
                let locals = function.body.as_ref().map_or_else(Vec::new, |body| locals(&body.statements));
                all.insert(name.name.as_str().into(), with_parameters(term, locals));
                true
            }
            ast::Statement::VariableDeclaration(declaration) => {
                let mut found = Vec::new();
                for declarator in &declaration.declarations {
                    let ast::BindingPattern::BindingIdentifier(name) = &declarator.id else { return false };
                    let own = match &declarator.init {
                        Some(ast::Expression::FunctionExpression(function)) => {
                            function.body.as_ref().map_or_else(Vec::new, |body| locals(&body.statements))
                        }
                        Some(ast::Expression::ArrowFunctionExpression(function)) => locals(&function.body.statements),
                        _ => return false,
                    };
                    let Some(value) = &declarator.init else { return false };
                    found.push((Arc::from(name.name.as_str()), with_parameters(self.term(value, 0), own)));
                }
                all.extend(found);
                true
            }
            _ => false,
        }
    }

    pub(super) fn statement(&self, statement: &ast::Statement<'_>, script: &mut Script) {
        match statement {
            ast::Statement::VariableDeclaration(declaration) => {
                self.variables(declaration, script);
            }
            ast::Statement::FunctionDeclaration(function) => {
                self.named_function(function, script);
            }
            ast::Statement::TSEnumDeclaration(declaration) => self.enumeration(declaration, script),
            ast::Statement::ExpressionStatement(statement) => match &statement.expression {
                ast::Expression::AssignmentExpression(assignment) => self.assigned_export(assignment, script),
                expression => script.values.push(Value::of(None, self.term(expression, 0))),
            },
            ast::Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ast::ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                    let name = self.named_function(function, script);
                    script.exports.extend(name.map(|name| (DEFAULT.into(), name)));
                }
                declaration => {
                    if let Some(expression) = declaration.as_expression() {
                        Converter::export(DEFAULT.into(), self.term(expression, 0), script);
                    }
                }
            },
            ast::Statement::ExportNamedDeclaration(export) => {
                let names = match &export.declaration {
                    Some(ast::Declaration::VariableDeclaration(declaration)) => self.variables(declaration, script),
                    Some(ast::Declaration::FunctionDeclaration(function)) => {
                        self.named_function(function, script).into_iter().collect()
                    }
                    Some(ast::Declaration::TSEnumDeclaration(declaration)) => {
                        self.enumeration(declaration, script);
                        Vec::new()
                    }
                    _ => Vec::new(),
                };
                script.exports.extend(names.into_iter().map(|name| (name.clone(), name)));
                for specifier in &export.specifiers {
                    let (exported, local) = (specifier.exported.name(), specifier.local.name());
                    script.exports.push((exported.as_str().into(), local.as_str().into()));
                }
            }
            _ => {}
        }
    }

    /// `module.exports = …`, `exports.name = …`
    fn assigned_export(&self, assignment: &ast::AssignmentExpression<'_>, script: &mut Script) {
        let value = self.term(&assignment.right, 0);
        let ast::AssignmentTarget::StaticMemberExpression(member) = &assignment.left else {
            script.values.push(Value::of(None, value));
            return;
        };
        if member.property.name != "exports" {
            return Converter::export(member.property.name.as_str().into(), value, script);
        }
        match value.kind {
            TermKind::Object(entries) if !entries.iter().any(|entry| entry.is_spread) => {
                for entry in entries {
                    if let Some(key) = entry.key {
                        Converter::export(key, entry.value, script);
                    }
                }
            }
            _ => Converter::export(DEFAULT.into(), value, script),
        }
    }

    /// Exports a value, or what a name stands for.
    fn export(exported: Arc<str>, value: Term, script: &mut Script) {
        let local = if let TermKind::Name(name) = &value.kind {
            name.clone()
        } else {
            // No name of a script has a space.
            let local: Arc<str> = format!("export {exported}").into();
            script.values.push(Value::of(Some(local.clone()), value));
            local
        };
        script.exports.push((exported, local));
    }

    /// The names that it declares.
    fn variables(&self, declaration: &ast::VariableDeclaration<'_>, script: &mut Script) -> Vec<Arc<str>> {
        let mut names = Vec::new();
        for declarator in &declaration.declarations {
            let Some(init) = &declarator.init else { continue };
            let term = self.term(init, 0);
            let mut name: Option<Arc<str>> = None;
            if let ast::BindingPattern::BindingIdentifier(identifier) = &declarator.id {
                name = Some(identifier.name.as_str().into());
                // Only what never changes has a known value.
                if declaration.kind == ast::VariableDeclarationKind::Const {
                    script.constants.push((identifier.name.as_str().into(), term.clone()));
                }
            }
            names.extend(name.clone());
            script.values.push(Value::of(name, term));
        }
        names
    }

    /// An `enum` as an object.
    fn enumeration(&self, declaration: &ast::TSEnumDeclaration<'_>, script: &mut Script) {
        let mut entries = Vec::new();
        let mut next = Some(0.0);
        for member in &declaration.body.members {
            let (name, key_span) = (member.id.static_name(), self.span(member.id.span()));
            let value = member.initializer.as_ref().map(|value| self.term(value, 0));
            let kind = value.map_or_else(|| next.map_or(TermKind::Other("a member"), TermKind::Number), |v| v.kind);
            next = if let TermKind::Number(number) = &kind { Some(number + 1.0) } else { None };
            let value = Term { kind, span: self.span(member.span) };
            entries.push(Entry { key: Some(name.as_str().into()), computed: None, is_spread: false, key_span, value });
        }
        let term = Term { kind: TermKind::Object(entries), span: self.span(declaration.span) };
        script.constants.push((declaration.id.name.as_str().into(), term));
    }

    /// Its name.
    fn named_function(&self, function: &ast::Function<'_>, script: &mut Script) -> Option<Arc<str>> {
        let name: Option<Arc<str>> = function.id.as_ref().map(|name| name.name.as_str().into());
        if let Some(name) = &name {
            let kind = self.function(function, 0);
            script.constants.push((name.clone(), Term { kind, span: self.span(function.span) }));
        }
        let mut declared = Vec::new();
        self.patterns(&function.params, 0).iter().for_each(|pattern| pattern.names(&mut declared));
        for statement in function.body.iter().flat_map(|body| &body.statements) {
            if let ast::Statement::VariableDeclaration(declaration) = statement {
                declaration.declarations.iter().for_each(|one| collect_names(&one.id, &mut declared));
            }
        }
        // A machine may be made by a function.
        for statement in function.body.iter().flat_map(|body| &body.statements) {
            if let ast::Statement::ReturnStatement(ret) = statement
                && let Some(value) = &ret.argument
            {
                let term = self.term(value, 0);
                script.values.push(Value { name: name.clone(), is_returned: true, declared: declared.clone(), term });
            }
        }
        name
    }
}

/// A function with the names that it declares: its parameters and its variables.
fn with_parameters(function: Term, mut locals: Vec<Arc<str>>) -> (Term, Vec<Arc<str>>) {
    if let TermKind::Function(patterns, _) = &function.kind {
        for pattern in patterns {
            pattern.names(&mut locals);
        }
    }
    (function, locals)
}

/// The variables that statements declare, also inside of blocks.
fn locals(statements: &[ast::Statement<'_>]) -> Vec<Arc<str>> {
    let mut found = Vec::new();
    let mut waiting: Vec<&ast::Statement<'_>> = statements.iter().collect();
    while let Some(statement) = waiting.pop() {
        match statement {
            ast::Statement::VariableDeclaration(declaration) => {
                declaration.declarations.iter().for_each(|declarator| collect_names(&declarator.id, &mut found));
            }
            ast::Statement::BlockStatement(block) => waiting.extend(&block.body),
            ast::Statement::IfStatement(choice) => {
                waiting.push(&choice.consequent);
                waiting.extend(&choice.alternate);
            }
            ast::Statement::SwitchStatement(switch) => {
                waiting.extend(switch.cases.iter().flat_map(|case| &case.consequent));
            }
            _ => {}
        }
    }
    found
}
