/**
 * `as` may name a branded id or fix a literal (`as const`); any other shape is parsed, not asserted.
 */
const BRANDED = /Id$/;

export const noLooseAssertion = {
  create(context) {
    const check = (node) => {
      if (!isAllowed(node.typeAnnotation)) context.report({ node, message: "Parse it or narrow it; `as` is for branded ids." });
    };
    return { TSAsExpression: check, TSTypeAssertion: check };
  },
};

function isAllowed(type) {
  if (type.type !== "TSTypeReference") return false;
  const name = type.typeName.type === "Identifier" ? type.typeName.name : "";
  return name === "const" || BRANDED.test(name);
}
