import { Check, Circle, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import type { McpList, McpServerEntry } from "#protocol/profile-shapes";
import { Icon } from "../look/icon";
import { Ring } from "../look/ring";
import { mcpWords } from "./text-words";

const MARK: Readonly<Record<McpServerEntry["status"], ReactNode>> = {
  idle: <Icon of={Circle} size={14} className="text-faint" />,
  unknown: <Icon of={Circle} size={14} className="text-faint" />,
  starting: <Ring />,
  ready: <Icon of={Check} className="text-good" />,
  failed: <Icon of={TriangleAlert} size={14} className="text-bad" />,
};

/** The profile's MCP servers as the owner of runs has them. They are changed in its `config.yaml`. */
export function McpServers({ mcp }: { readonly mcp: McpList | null }) {
  if (mcp === null) return null;
  return (
    <>
      <ul>
        {mcp.servers.map((server) => (
          <li key={server.server} className="flex items-start gap-2.5 py-1.5">
            <span className="grid h-5 w-4 flex-none place-items-center">{MARK[server.status]}</span>
            <div className="min-w-0 flex-1">
              <p className="text-14 [overflow-wrap:anywhere]">
                {server.server} <span className="text-code text-faint mono">{server.place}</span>
              </p>
              <p className="text-13 text-muted [overflow-wrap:anywhere]">{mcpWords(server)}</p>
            </div>
          </li>
        ))}
      </ul>
      {mcp.problems.map((problem) => (
        <p key={problem} className="py-1 text-13 text-bad [overflow-wrap:anywhere]">
          {problem}
        </p>
      ))}
      {mcp.servers.length + mcp.problems.length === 0 ? <p className="py-1 text-13 text-muted">None. They are named in the profile’s config.yaml, under mcp_servers.</p> : null}
    </>
  );
}
