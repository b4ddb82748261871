"use client";

import { type FormEvent, useMemo, useState } from "react";
import { createHttpClient } from "#client/http-client";
import { createSetupApi } from "#client/setup-api";
import { Button } from "../look/button";
import { TextField } from "../look/text-field";
import { WordMark } from "../look/wing-mark";

interface LoginFormProps {
  readonly basePath: string;
  /** A path of this server, already checked. */
  readonly next: string;
}

/** Word mark, one field, one button. */
export function LoginForm({ basePath, next }: LoginFormProps) {
  const setup = useMemo(() => createSetupApi(createHttpClient({ basePath, fetch: (input, init) => window.fetch(input, init) })), [basePath]);
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    const answer = await setup.login(password);
    if (answer.ok) return window.location.replace(`${basePath}${next}`);
    setSending(false);
    setProblem(answer.message);
  };
  return (
    <main className="flex min-h-dvh items-center justify-center px-6 pb-[16dvh]">
      <form onSubmit={(event) => void submit(event)} className="w-full max-w-80">
        <WordMark />
        <h1 className="sr-only">Log in</h1>
        <TextField
          label="Password"
          type="password"
          name="password"
          autoComplete="current-password"
          autoFocus
          required
          value={password}
          onChange={setPassword}
          className="mt-8"
        />
        <p role="alert" className="min-h-5 pt-1 text-13 text-bad">
          {problem}
        </p>
        <Button kind="solid" type="submit" disabled={sending} className="mt-2 w-full">
          {sending ? "Logging in" : "Log in"}
        </Button>
      </form>
    </main>
  );
}
