import { ChoiceRow } from "../look/choice-row";

interface LookPageProps {
  readonly theme: "system" | "light" | "dark";
  readonly text: "87" | "100" | "112" | "125" | "150";
  readonly view: "detailed" | "compact" | "answer";
  readonly onChange: (changes: { theme?: LookPageProps["theme"]; text?: LookPageProps["text"]; view?: LookPageProps["view"] }) => void;
}

export function LookPage({ theme, text, view, onChange }: LookPageProps) {
  return (
    <>
      <ChoiceRow
        label="Theme"
        value={theme}
        choices={[
          { value: "system", label: "As the system" },
          { value: "light", label: "Light" },
          { value: "dark", label: "Dark" },
        ]}
        onChoose={(value) => onChange({ theme: value })}
      />
      <ChoiceRow
        label="Text size"
        value={text}
        choices={[
          { value: "87", label: "Smaller" },
          { value: "100", label: "Usual" },
          { value: "112", label: "Larger" },
          { value: "125", label: "Large" },
          { value: "150", label: "Largest" },
        ]}
        onChoose={(value) => onChange({ text: value })}
      />
      <ChoiceRow
        label="Conversation"
        value={view}
        choices={[
          { value: "detailed", label: "Detailed" },
          { value: "compact", label: "Compact" },
          { value: "answer", label: "Answer only" },
        ]}
        onChoose={(value) => onChange({ view: value })}
      />
    </>
  );
}
