/**
 * No module-level mutable state: what a process knows lives in objects that the composition root
 * makes and hands on, never in a module, of which a bundler may make several copies and which no test
 * can put back. A constant table is no state; a table that this file changes, an empty container, a
 * `let`, or a slot on `globalThis` is.
 */
const CONTAINERS = new Set(["Map", "Set", "WeakMap", "WeakSet", "Array"]);
const CHANGING_METHODS = new Set(["add", "set", "delete", "clear", "push", "pop", "shift", "unshift", "splice", "sort", "reverse", "fill", "copyWithin"]);
const CHANGING_FUNCTIONS = new Set(["Object.assign", "Object.defineProperty", "Object.defineProperties", "Reflect.set", "Reflect.deleteProperty"]);
const MESSAGE = "No state at module level: make it where it is owned and hand it on.";

export const noModuleState = {
  create(context) {
    const tables = new Map();
    const changed = new Set();
    return {
      Program(program) {
        for (const statement of program.body) readStatement(statement, tables, (node) => context.report({ node, message: MESSAGE }));
      },
      AssignmentExpression: (node) => noteChange(node.left),
      UpdateExpression: (node) => noteChange(node.argument),
      UnaryExpression: (node) => {
        if (node.operator === "delete") noteChange(node.argument);
      },
      CallExpression: (node) => {
        const { callee } = node;
        if (callee.type !== "MemberExpression") return;
        if (CHANGING_METHODS.has(callee.property.name)) noteName(callee.object);
        if (CHANGING_FUNCTIONS.has(`${callee.object.name}.${callee.property.name}`)) noteChangeBy(node.arguments[0]);
      },
      "Program:exit"() {
        for (const [name, node] of tables) if (changed.has(name)) context.report({ node, message: MESSAGE });
      },
    };

    function noteChange(target) {
      if (target.type === "MemberExpression") noteChangeBy(target.object);
    }

    function noteChangeBy(owner) {
      if (owner?.type === "Identifier" && owner.name === "globalThis") context.report({ node: owner, message: MESSAGE });
      else if (owner) noteName(owner);
    }

    function noteName(target) {
      const owner = target.type === "MemberExpression" ? target.object : target;
      if (owner.type === "Identifier") changed.add(owner.name);
    }
  },
};

function readStatement(statement, tables, report) {
  const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
  if (declaration?.type === "ClassDeclaration") readClass(declaration, report);
  if (declaration?.type !== "VariableDeclaration" || declaration.declare) return;
  for (const declarator of declaration.declarations) {
    const value = unwrap(declarator.init);
    if (declaration.kind !== "const" || isEmptyContainer(value)) report(declarator);
    else if (declarator.id.type === "Identifier" && isContainer(value)) tables.set(declarator.id.name, declarator);
  }
}

function readClass(declaration, report) {
  for (const member of declaration.body.body) {
    if (member.type !== "PropertyDefinition" || !member.static) continue;
    if (!member.readonly || isEmptyContainer(unwrap(member.value))) report(member);
  }
}

function unwrap(value) {
  const wrappers = new Set(["TSAsExpression", "TSSatisfiesExpression", "TSNonNullExpression", "TSTypeAssertion"]);
  return value && wrappers.has(value.type) ? unwrap(value.expression) : value;
}

function isContainer(value) {
  if (!value) return false;
  if (value.type === "NewExpression") return value.callee.type === "Identifier" && CONTAINERS.has(value.callee.name);
  return value.type === "ArrayExpression" || value.type === "ObjectExpression";
}

function isEmptyContainer(value) {
  if (!isContainer(value)) return false;
  if (value.type === "NewExpression") return value.arguments.length === 0;
  // An empty list or record that is never changed is a fine default; the change is what counts there.
  return false;
}
