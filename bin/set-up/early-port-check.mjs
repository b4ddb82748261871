import { createServer } from "node:net";

/**
 * Null, or one line when the port is taken. Only for the time before the first build, which is too long
 * to find that out afterwards; the supervisor checks everything again.
 */
export async function whyPortIsTaken(words, environment) {
  const port = Number(optionOf(words, "--port") ?? environment["HERMES_WEBUI_PORT"] ?? 8787);
  const host = optionOf(words, "--host") ?? (environment["HERMES_WEBUI_HOST"] || "127.0.0.1");
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return null;
  const server = createServer();
  const code = await new Promise((resolve) => {
    server.once("error", (error) => resolve(error.code));
    server.listen({ host, port }, () => resolve(null));
  });
  await new Promise((resolve) => server.close(resolve));
  return code === "EADDRINUSE" ? `Port ${port} is taken; choose another with --port.` : null;
}

function optionOf(words, name) {
  const index = words.findIndex((word) => word === name || word.startsWith(`${name}=`));
  if (index < 0) return undefined;
  const word = words[index];
  return word === name ? words[index + 1] : word.slice(name.length + 1);
}
