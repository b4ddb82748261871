import { basename } from "node:path";

const VAGUE = /^(utils?|helpers?|misc|common|types|constants|index|managers?|services?)\./;

/** A file is named for the one thing it exports. */
export const noVagueFileName = {
  create(context) {
    return {
      Program(node) {
        if (VAGUE.test(basename(context.filename))) context.report({ node, message: "Name the file for the one thing it exports." });
      },
    };
  },
};
