/** No barrel files: whoever needs a thing imports it from the file that makes it. */
export const noReExport = {
  create(context) {
    const report = (node) => {
      if (node.source) context.report({ node, message: "Import from the file that makes it; nothing is exported a second time." });
    };
    return { ExportAllDeclaration: report, ExportNamedDeclaration: report };
  },
};
