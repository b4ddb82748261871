interface ChoiceRowProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly { readonly value: Value; readonly label: string }[];
  readonly onChoose: (value: Value) => void;
}

/** One of a few, as a segment, with its name at the left. */
export function ChoiceRow<Value extends string>({ label, value, choices, onChoose }: ChoiceRowProps<Value>) {
  return (
    <fieldset className="flex flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
      <legend className="float-left w-40 py-1.5 text-14 text-muted">{label}</legend>
      <span className="inline-flex flex-wrap rounded-[9px] bg-fill p-0.5">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="relative h-7 rounded-[7px] px-3 text-13 leading-7 text-muted has-checked:bg-seg has-checked:font-medium has-checked:text-ink has-checked:shadow-[0_0_0_1px_var(--hair),0_1px_2px_oklch(0_0_0/.06)] has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent touch:h-11 touch:leading-[2.75rem]"
          >
            <input type="radio" name={label} checked={value === choice.value} onChange={() => onChoose(choice.value)} className="absolute inset-0 appearance-none outline-none" />
            {choice.label}
          </label>
        ))}
      </span>
    </fieldset>
  );
}
