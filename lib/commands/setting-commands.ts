/** Commands that set, or without an argument tell, how a session works. */
import { patchSession } from "#sessions/patch-session";
import { readReasoning, REASONING_LEVELS } from "#sessions/reasoning-level";
import type { Command } from "./command";
import { asArgument, granted, wrongArgument } from "./command-input";

export const modelCommand: Command = {
  name: "model",
  aliases: [],
  args: "[name]",
  description: "Choose the model for this session, or tell which is used",
  when: "always",
  async run({ tools, session, argument }) {
    if (argument === "") {
      const used = session.model === null ? await tools.nameModel(session.profile, null) : { ok: true as const, provider: session.provider, model: session.model };
      if (!used.ok) return { message: used.message };
      const name = used.provider === null ? used.model : `${used.provider}/${used.model}`;
      return { message: `The model is ${name}.`, data: { provider: used.provider, model: used.model } };
    }
    const named = await tools.nameModel(session.profile, argument);
    if (!named.ok) throw wrongArgument(named.message);
    const { provider, model } = named;
    await patchSession(tools.room, tools.defaults, session.session_id, { provider, model });
    return { message: `The model is ${provider}/${model} now.`, data: { provider, model } };
  },
};

export const profileCommand: Command = {
  name: "profile",
  aliases: [],
  args: "[name]",
  description: "Choose the profile for this session, or tell which is used",
  when: "always",
  async run({ tools, session, argument }) {
    if (argument === "") return { message: `The profile is ${session.profile}.`, data: { profile: session.profile } };
    const { profile } = await asArgument(() => patchSession(tools.room, tools.defaults, session.session_id, { profile: argument }));
    return { message: `The profile is ${profile} now.`, data: { profile } };
  },
};

export const workspaceCommand: Command = {
  name: "workspace",
  aliases: ["cd"],
  args: "[path]",
  description: "Choose the folder this session works in, or tell which it is",
  when: "always",
  async run({ tools, session, argument }) {
    if (argument === "") return { message: `The folder is ${session.workspace}.`, data: { workspace: session.workspace } };
    const { workspace } = await asArgument(() => patchSession(tools.room, tools.defaults, session.session_id, { workspace: argument }));
    return { message: `The folder is ${workspace} now.`, data: { workspace } };
  },
};

export const reasoningCommand: Command = {
  name: "reasoning",
  aliases: [],
  args: "[level]",
  description: "Choose how hard the model thinks: none, minimal, low, medium, high, xhigh or default",
  when: "always",
  async run({ tools, session, argument }) {
    if (argument === "") {
      const reasoning = await readReasoning(tools.room, session.session_id);
      return { message: `Reasoning is ${reasoning ?? "the model's default"}.`, data: { reasoning } };
    }
    const wanted = argument.toLowerCase();
    const reasoning = wanted === "default" ? null : REASONING_LEVELS.find((level) => level === wanted);
    if (reasoning === undefined) throw wrongArgument(`/reasoning takes ${REASONING_LEVELS.join(", ")} or default.`);
    await patchSession(tools.room, tools.defaults, session.session_id, { reasoning });
    return { message: `Reasoning is ${reasoning ?? "the model's default"} now.`, data: { reasoning } };
  },
};

export const yoloCommand: Command = {
  name: "yolo",
  aliases: [],
  args: "[on|off]",
  description: "Stop or start asking before risky commands in this session",
  when: "always",
  async run({ tools, session, argument }) {
    const wanted = argument.toLowerCase();
    if (!["", "on", "off"].includes(wanted)) throw wrongArgument("/yolo takes on or off.");
    const enabled = wanted === "" ? !session.yolo : wanted === "on";
    const yolo_enabled = granted(await tools.runtime.controls.setYolo(session.session_id, enabled));
    return { message: yolo_enabled ? "Risky commands run without asking in this session." : "Risky commands ask again.", data: { yolo_enabled } };
  },
};
