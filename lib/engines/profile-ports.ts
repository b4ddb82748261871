/** Memory and skills of the profile that a call belongs to, as the tools see them: answers in words. */
import type { MemoryPort } from "#agent/tools/memory";
import type { SkillsPort } from "#agent/tools/skills";
import { changeMemory } from "#profiles/memory";
import type { MemoryChange, MemoryResult } from "#profiles/memory";
import { listSkills, readSkill } from "#profiles/skills";

export function createMemoryPort(): MemoryPort {
  return {
    apply: async ({ action, target, content, match }, context) => {
      const change = changeOf(action, target, content ?? "", match ?? "");
      const result = await changeMemory(context.home, change);
      return { ok: result.status !== "refused", text: textOf(result) };
    },
  };
}

function changeOf(action: MemoryChange["action"], target: MemoryChange["target"], content: string, match: string): MemoryChange {
  switch (action) {
    case "add":
      return { action, target, content };
    case "replace":
      return { action, target, content, match };
    case "remove":
      return { action, target, match };
  }
}

/** A refusal shows what is there, so that the model can make room or find the right entry. */
function textOf(result: MemoryResult): string {
  const usage = `${result.used} of ${result.limit} characters are used.`;
  if (result.status !== "refused") return `${result.message} ${usage}`;
  return [result.message, usage, "Entries:", ...result.entries.map((entry) => `- ${entry}`)].join("\n");
}

export function createSkillsPort(): SkillsPort {
  return {
    list: (context) => listSkills(context.home),
    view: async (name, file, context) => {
      const skill = await readSkill(context.home, name, file);
      return skill.status === "read" ? { ok: true, text: skill.text } : { ok: false, text: skill.message };
    },
  };
}
