/**
 * Rules of this house that no ready-made rule covers. Each is proved by a planted violation
 * (planted-rules.mjs); a rule that stops seeing fails the check.
 */
import { noAbbreviation } from "./rules/no-abbreviation.mjs";
import { noLooseAssertion } from "./rules/no-loose-assertion.mjs";
import { noModuleState } from "./rules/no-module-state.mjs";
import { noReExport } from "./rules/no-re-export.mjs";
import { noVagueFileName } from "./rules/no-vague-file-name.mjs";
import { roomBorders } from "./rules/room-borders.mjs";

export default {
  meta: { name: "house" },
  rules: {
    "no-abbreviation": noAbbreviation,
    "no-loose-assertion": noLooseAssertion,
    "no-module-state": noModuleState,
    "no-re-export": noReExport,
    "no-vague-file-name": noVagueFileName,
    "room-borders": roomBorders,
  },
};
