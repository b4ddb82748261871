import type { NextConfig } from "next";
import { loadBasePath } from "./lib/config/build-settings";

// On every answer, errors outside the path prefix too. What stands here beats what a route says, so a
// content security policy, which differs between pages and attachments, must not.
const SECURITY_HEADERS = [
  { key: "X-Frame-Options", value: "DENY" },
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "Referrer-Policy", value: "same-origin" },
];

const config: NextConfig = {
  basePath: loadBasePath(),
  poweredByHeader: false,
  // Compression holds back the frames of an event stream.
  compress: false,
  reactStrictMode: true,
  devIndicators: false,
  // What is not used is not loaded: a page's modules come in with its first request.
  experimental: { preloadEntriesOnStart: false },
  turbopack: { root: import.meta.dirname },
  // `npm run check` types the whole tree, tests and tools included, in a second.
  typescript: { ignoreBuildErrors: true },
  // Native code, WebAssembly found on the file system, or modules that want to be themselves at run time.
  serverExternalPackages: [
    "@libsql/client",
    "libsql",
    "web-tree-sitter",
    "tree-sitter-bash",
    "pino",
    "file-type",
    "prom-client",
    "@modelcontextprotocol/sdk",
  ],
  headers: async () => [{ source: "/:path*", basePath: false, headers: SECURITY_HEADERS }],
};

export default config;
