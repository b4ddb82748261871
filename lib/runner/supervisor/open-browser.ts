import { spawn } from "node:child_process";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "open", linux: "xdg-open", win32: "explorer" };

/** Opens the page in the person's browser; where there is none nothing happens but a line by `complain`. */
export function openBrowser(url: string, complain: (line: string) => void): void {
  const opener = OPENERS[process.platform];
  if (opener === undefined) return complain(`Open ${url} in a browser.`);
  const child = spawn(opener, [url], { detached: true, stdio: "ignore" });
  child.once("error", () => complain(`No browser could be opened; the page is at ${url}`));
  child.unref();
}
