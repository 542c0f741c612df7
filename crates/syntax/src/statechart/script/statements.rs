//! Statements in the bodies of functions: declarations, assignments, calls, conditions, `switch` and loops.

use super::{Converter, MAX_DEPTH, Place};
use crate::op::BinaryOp;
use crate::statechart::term::{Statement, Term, TermKind};
use oxc_ast::ast;
use oxc_span::GetSpan;
use oxc_syntax::operator::{AssignmentOperator, LogicalOperator, UpdateOperator};
use std::sync::Arc;

impl Converter {
    /// The place and the value of an expression that assigns.
    fn assignment(&self, expression: &ast::Expression<'_>, depth: usize) -> Option<Statement> {
        match expression {
            ast::Expression::AssignmentExpression(assignment) => {
                let target = self.place(assignment.left.as_simple_assignment_target()?, depth)?;
                let value = self.term(&assignment.right, depth);
                let op = match assignment.operator {
                    AssignmentOperator::Assign => return Some(Statement::Assign(target, value)),
                    AssignmentOperator::Addition => BinaryOp::Add,
                    AssignmentOperator::Subtraction => BinaryOp::Sub,
                    AssignmentOperator::Multiplication => BinaryOp::Mul,
                    AssignmentOperator::Remainder => BinaryOp::Mod,
                    _ => return None,
                };
                let kind = TermKind::Binary(op, Box::new(target.clone()), Box::new(value));
                Some(Statement::Assign(target, Term { kind, span: self.span(assignment.span) }))
            }
            ast::Expression::UpdateExpression(update) => {
                let target = self.place(&update.argument, depth)?;
                let span = self.span(update.span);
                let op = if update.operator == UpdateOperator::Increment { BinaryOp::Add } else { BinaryOp::Sub };
                let one = Term { kind: TermKind::Number(1.0), span };
                let kind = TermKind::Binary(op, Box::new(target.clone()), Box::new(one));
                Some(Statement::Assign(target, Term { kind, span }))
            }
            _ => None,
        }
    }

    /// A place that can be assigned to.
    fn place(&self, target: &ast::SimpleAssignmentTarget<'_>, depth: usize) -> Option<Term> {
        let span = self.span(target.span());
        let kind = match target {
            ast::SimpleAssignmentTarget::AssignmentTargetIdentifier(name) => TermKind::Name(name.name.as_str().into()),
            ast::SimpleAssignmentTarget::StaticMemberExpression(member) => {
                TermKind::Member(Box::new(self.term(&member.object, depth)), member.property.name.as_str().into())
            }
            ast::SimpleAssignmentTarget::ComputedMemberExpression(member) => TermKind::Index(
                Box::new(self.term(&member.object, depth)),
                Box::new(self.term(&member.expression, depth)),
            ),
            _ => return None,
        };
        Some(Term { kind, span })
    }

    /// Gives the names of a pattern their values: one name, members of an object, or items of a list.
    fn declared(&self, pattern: &ast::BindingPattern<'_>, value: Term, all: &mut Vec<Statement>) -> Option<()> {
        let is_name = matches!(pattern, ast::BindingPattern::BindingIdentifier(_));
        let value = if is_name || matches!(value.kind, TermKind::Name(_) | TermKind::Member(..)) {
            value
        } else if matches!(self.place, Place::Fixed(_)) {
            return None;
        } else {
            // Only names and their members are small enough to be copied.
            let name: Arc<str> = format!("value at {}", value.span.start).into();
            let name = Term { kind: TermKind::Name(name), span: value.span };
            all.push(Statement::Assign(name.clone(), value));
            name
        };
        let span = value.span;
        match pattern {
            ast::BindingPattern::BindingIdentifier(name) => {
                let target = Term { kind: TermKind::Name(name.name.as_str().into()), span: self.span(name.span) };
                all.push(Statement::Assign(target, value));
            }
            ast::BindingPattern::ArrayPattern(array) => {
                let mut number = 0.0;
                for element in &array.elements {
                    if let Some(element) = element {
                        let at = Term { kind: TermKind::Number(number), span };
                        let kind = TermKind::Index(Box::new(value.clone()), Box::new(at));
                        self.declared(element, Term { kind, span }, all)?;
                    }
                    number += 1.0;
                }
                if let Some(rest) = &array.rest {
                    let at = Term { kind: TermKind::Number(number), span };
                    let slice = Term { kind: TermKind::Member(Box::new(value), "slice".into()), span };
                    let kind = TermKind::Call(Box::new(slice), vec![at]);
                    self.declared(&rest.argument, Term { kind, span }, all)?;
                }
            }
            ast::BindingPattern::ObjectPattern(object) if object.rest.is_none() => {
                for property in &object.properties {
                    let key = property.key.static_name().filter(|_| !property.computed)?;
                    let kind = TermKind::Member(Box::new(value.clone()), Arc::from(&*key));
                    // Members of members are rare, and copies of their objects grow.
                    let ast::BindingPattern::BindingIdentifier(_) = &property.value else { return None };
                    self.declared(&property.value, Term { kind, span: value.span }, all)?;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Statements that call functions, assign or return, unconditionally or not; nothing if there are others.
    pub(super) fn block(&self, statements: &[ast::Statement<'_>], depth: usize) -> Option<Vec<Statement>> {
        let mut all = Vec::new();
        for statement in statements {
            match statement {
                ast::Statement::VariableDeclaration(declaration) => {
                    for declarator in &declaration.declarations {
                        let value = match &declarator.init {
                            Some(value) => self.term(value, depth),
                            // A `var` without a value changes nothing.
                            None if declaration.kind == ast::VariableDeclarationKind::Var => continue,
                            None => Term { kind: TermKind::Undefined, span: self.span(declarator.span) },
                        };
                        self.declared(&declarator.id, value, &mut all)?;
                    }
                }
                ast::Statement::BlockStatement(block) if depth < MAX_DEPTH => {
                    all.extend(self.block(&block.body, depth + 1)?);
                }
                ast::Statement::EmptyStatement(_) => {}
                statement => all.push(self.effect(statement, depth)?),
            }
        }
        Some(all)
    }

    fn effect(&self, statement: &ast::Statement<'_>, depth: usize) -> Option<Statement> {
        if depth > MAX_DEPTH {
            return None;
        }
        let branch = |statement: &ast::Statement<'_>| match statement {
            ast::Statement::BlockStatement(block) => self.block(&block.body, depth + 1),
            other => self.effect(other, depth + 1).map(|statement| vec![statement]),
        };
        match statement {
            ast::Statement::ExpressionStatement(statement) => self.conditional(&statement.expression, depth),
            ast::Statement::SwitchStatement(statement) => self.switch(statement, depth),
            ast::Statement::ForStatement(statement) => {
                let mut body = branch(&statement.body)?;
                if let Some(init) = &statement.init {
                    let ast::ForStatementInit::VariableDeclaration(declaration) = init else { return None };
                    body.splice(0..0, self.items(declaration));
                }
                if let Some(update) = &statement.update {
                    body.push(self.conditional(update, depth)?);
                }
                Some(Statement::Loop(body))
            }
            ast::Statement::ForOfStatement(statement) => {
                let ast::ForStatementLeft::VariableDeclaration(declaration) = &statement.left else { return None };
                let mut body = branch(&statement.body)?;
                body.splice(0..0, self.items(declaration));
                Some(Statement::Loop(body))
            }
            ast::Statement::ForInStatement(statement) => {
                let ast::ForStatementLeft::VariableDeclaration(declaration) = &statement.left else { return None };
                let mut body = branch(&statement.body)?;
                body.splice(0..0, self.items(declaration));
                Some(Statement::Loop(body))
            }
            ast::Statement::WhileStatement(statement) => Some(Statement::Loop(branch(&statement.body)?)),
            ast::Statement::DoWhileStatement(statement) => Some(Statement::Loop(branch(&statement.body)?)),
            ast::Statement::BreakStatement(statement) if statement.label.is_none() => Some(Statement::Break),
            ast::Statement::ContinueStatement(statement) if statement.label.is_none() => Some(Statement::Break),
            ast::Statement::IfStatement(statement) => {
                let no = match &statement.alternate {
                    Some(alternate) => branch(alternate)?,
                    None => Vec::new(),
                };
                Some(Statement::If(self.term(&statement.test, depth), branch(&statement.consequent)?, no))
            }
            ast::Statement::ReturnStatement(ret) => {
                Some(Statement::Return(ret.argument.as_ref().map(|value| self.term(value, depth))))
            }
            ast::Statement::ThrowStatement(_) => Some(Statement::Throw),
            _ => None,
        }
    }
}

impl Converter {
    /// The names that a loop declares, with values that are not known.
    fn items(&self, declaration: &ast::VariableDeclaration<'_>) -> Vec<Statement> {
        let mut names = Vec::new();
        for declarator in &declaration.declarations {
            collect_names(&declarator.id, &mut names);
        }
        let span = self.span(declaration.span);
        let unknown = |name| {
            let target = Term { kind: TermKind::Name(name), span };
            Statement::Assign(target, Term { kind: TermKind::Other("an item"), span })
        };
        names.into_iter().map(unknown).collect()
    }

    /// An expression that is a statement: an assignment, or calls under conditions, as in `ready && start()`.
    fn conditional(&self, expression: &ast::Expression<'_>, depth: usize) -> Option<Statement> {
        if depth > MAX_DEPTH {
            return None;
        }
        match expression {
            ast::Expression::CallExpression(_) => Some(Statement::Call(self.term(expression, depth))),
            ast::Expression::LogicalExpression(logical) => {
                let condition = self.term(&logical.left, depth);
                let then = vec![self.conditional(&logical.right, depth + 1)?];
                match logical.operator {
                    LogicalOperator::And => Some(Statement::If(condition, then, Vec::new())),
                    LogicalOperator::Or => Some(Statement::If(condition, Vec::new(), then)),
                    LogicalOperator::Coalesce => None,
                }
            }
            ast::Expression::ConditionalExpression(choice) => {
                let yes = vec![self.conditional(&choice.consequent, depth + 1)?];
                let no = vec![self.conditional(&choice.alternate, depth + 1)?];
                Some(Statement::If(self.term(&choice.test, depth), yes, no))
            }
            _ => self.assignment(expression, depth),
        }
    }

    /// A `switch` as conditions, one after the other.
    fn switch(&self, statement: &ast::SwitchStatement<'_>, depth: usize) -> Option<Statement> {
        let span = self.span(statement.span);
        let value = self.term(&statement.discriminant, depth);
        let mut bodies = Vec::new();
        for at in 0..statement.cases.len() {
            let mut body = Vec::new();
            let mut rest = statement.cases[at..].iter();
            while let Some(case) = rest.next()
                && !self.until_break(&case.consequent, depth + 1, &mut body)?
            {}
            bodies.push(body);
        }
        let default = statement.cases.iter().position(|case| case.test.is_none());
        let mut rest = default.map_or_else(Vec::new, |at| bodies[at].clone());
        for (case, body) in statement.cases.iter().zip(bodies).rev() {
            let Some(test) = &case.test else { continue };
            let kind = TermKind::Binary(BinaryOp::Eq, Box::new(value.clone()), Box::new(self.term(test, depth)));
            rest = vec![Statement::If(Term { kind, span }, body, rest)];
        }
        match rest.len() {
            1 => rest.pop(),
            _ => Some(Statement::If(Term { kind: TermKind::Bool(true), span }, rest, Vec::new())),
        }
    }

    /// The statements of a case up to its end. Whether they do not go on with the next case.
    fn until_break(&self, statements: &[ast::Statement<'_>], depth: usize, body: &mut Vec<Statement>) -> Option<bool> {
        for statement in statements {
            self.cases_left.set(self.cases_left.get().checked_sub(1)?);
            match statement {
                ast::Statement::BreakStatement(end) if end.label.is_none() => return Some(true),
                ast::Statement::BlockStatement(block) if depth < MAX_DEPTH => {
                    if self.until_break(&block.body, depth + 1, body)? {
                        return Some(true);
                    }
                }
                statement => {
                    let read = self.block(std::slice::from_ref(statement), depth)?;
                    // A `break` under a condition leaves the `switch`, too.
                    if read.iter().any(breaks) {
                        return None;
                    }
                    let ends = matches!(read.last(), Some(Statement::Return(_) | Statement::Throw));
                    body.extend(read);
                    if ends {
                        return Some(true);
                    }
                }
            }
        }
        Some(false)
    }
}

/// Whether a statement may leave what is around it.
fn breaks(statement: &Statement) -> bool {
    match statement {
        Statement::Break => true,
        Statement::If(_, yes, no) => yes.iter().chain(no).any(breaks),
        _ => false,
    }
}

pub(super) fn collect_names(pattern: &ast::BindingPattern<'_>, names: &mut Vec<Arc<str>>) {
    match pattern {
        ast::BindingPattern::BindingIdentifier(name) => names.push(name.name.as_str().into()),
        ast::BindingPattern::ObjectPattern(object) => {
            object.properties.iter().for_each(|property| collect_names(&property.value, names));
            object.rest.iter().for_each(|rest| collect_names(&rest.argument, names));
        }
        ast::BindingPattern::ArrayPattern(array) => {
            array.elements.iter().flatten().for_each(|element| collect_names(element, names));
            array.rest.iter().for_each(|rest| collect_names(&rest.argument, names));
        }
        ast::BindingPattern::AssignmentPattern(pattern) => collect_names(&pattern.left, names),
    }
}
