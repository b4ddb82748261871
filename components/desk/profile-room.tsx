import { useCallback, useMemo, useState } from "react";
import { useClient } from "#client/context";
import type { ProfileText } from "#protocol/profile-shapes";
import { TextDialog } from "../look/text-dialog";
import { FileEditor } from "../panel/file-editor";
import { ProfilePage } from "../settings/profile-page";
import { newSkillText, TEXT_NOTE } from "../settings/text-words";
import { useRemote } from "./use-remote";
import { type TextSource, useTextEditor } from "./use-text-editor";

type OpenText = Pick<ProfileText, "path" | "kind"> & {
  /** What a text that is not there yet begins with. */
  readonly initial: string;
};

/** One profile's home, or one of its texts in the editor. */
export function ProfileRoom({ name, onBack }: { readonly name: string; readonly onBack: () => void }) {
  const { api } = useClient();
  const [open, setOpen] = useState<OpenText | null>(null);
  const [naming, setNaming] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const texts = useRemote(`texts:${name}`, useCallback(() => api.profiles.texts(name), [api, name]));
  const allowed = useRemote(`allowed:${name}`, useCallback(() => api.profiles.allowlist(name), [api, name]));
  const mcp = useRemote(`mcp:${name}`, useCallback(() => api.profiles.mcp(name), [api, name]));
  const reload = (): void => {
    texts.reload();
    allowed.reload();
    mcp.reload();
  };
  const disallow = async (pattern: string): Promise<void> => {
    const answer = await api.profiles.disallow(name, pattern);
    setRefusal(answer.ok ? null : answer.message);
    allowed.reload();
  };
  const close = (): void => {
    setOpen(null);
    texts.reload();
  };
  if (open !== null) return <TextRoom key={open.path} profile={name} text={open} onBack={close} />;
  return (
    <>
      <ProfilePage
        name={name}
        texts={texts.value?.texts ?? null}
        patterns={allowed.value?.patterns ?? null}
        mcp={mcp.value}
        problem={refusal ?? texts.failure?.message ?? allowed.failure?.message ?? mcp.failure?.message ?? null}
        onBack={onBack}
        onOpen={(text) => setOpen({ ...text, initial: "" })}
        onNewSkill={() => setNaming(true)}
        onDisallow={(pattern) => void disallow(pattern)}
        onReload={reload}
      />
      {naming ? (
        <TextDialog
          title="New skill"
          label="Name: small letters, digits, dashes"
          initial=""
          action="Write it"
          onSubmit={(skill) => setOpen({ path: `skills/${skill}/SKILL.md`, kind: "skill", initial: newSkillText(skill) })}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  );
}

function TextRoom({ profile, text, onBack }: { readonly profile: string; readonly text: OpenText; readonly onBack: () => void }) {
  const { api } = useClient();
  const { path, kind, initial } = text;
  const source = useMemo(
    (): TextSource => ({
      read: async () => {
        const answer = await api.profiles.readText(profile, path);
        if (!answer.ok) return { kind: "failed", message: answer.message };
        return { kind: "text", text: answer.value.content, mtime: answer.value.mtime };
      },
      write: (content, over) => api.profiles.writeText(profile, path, content, over),
    }),
    [api, profile, path],
  );
  const editing = useTextEditor(source, initial);
  return (
    <div className="grid h-full px-2.5">
      <FileEditor
        path={path}
        file={editing.file}
        text={editing.text}
        save={editing.save}
        rawUrl={null}
        backLabel="Back to the profile"
        note={TEXT_NOTE[kind]}
        onText={editing.setText}
        onSave={editing.write}
        onBack={onBack}
        onTakeDisk={editing.takeDisk}
        onKeepOwn={editing.keepOwn}
      />
    </div>
  );
}
