/**
 * The environment of a child process, exactly these variables. Next declares `NODE_ENV` as part of
 * every environment, which a child of ours need not have, so the type takes a detour.
 */
export function spawnEnvironment(variables: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return Object.assign(Object.create(null), variables);
}
