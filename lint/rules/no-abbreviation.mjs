/** Names without abbreviations. Only what a file names itself: a foreign object's property keeps its name. */
const ABBREVIATIONS = new Set(["req", "res", "msg", "cfg", "opts", "ctx", "e", "err", "ev", "evt", "cb", "fn", "tmp", "idx", "arr", "obj"]);

export const noAbbreviation = {
  create(context) {
    return {
      "Program:exit"() {
        for (const scope of context.sourceCode.scopeManager.scopes) {
          for (const variable of scope.variables) {
            const [definition] = variable.defs;
            if (!definition || !ABBREVIATIONS.has(variable.name)) continue;
            context.report({ node: definition.name, message: `Write ${variable.name} out.` });
          }
        }
      },
    };
  },
};
