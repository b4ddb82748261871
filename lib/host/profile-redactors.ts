/** One redactor for each profile: its known values are the process's own secrets and that profile's `.env`. */
import { createRedactor } from "#journal/redact";
import type { AgentEnvironment } from "#engines/agent-environment";
import type { Redactor } from "#journal/redact";

export function createProfileRedactors(environment: AgentEnvironment): (profile: string) => Redactor {
  const made = new Map<string, Redactor>();
  return (profile) => {
    const known = made.get(profile);
    if (known !== undefined) return known;
    const redactor = createRedactor(() => environment.secretsOf(profile));
    made.set(profile, redactor);
    return redactor;
  };
}
