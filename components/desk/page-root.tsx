import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { LOOK_COOKIE, readLook } from "./look";

interface PageRootProps {
  /** Classes that give the typefaces' variables. */
  readonly fonts: string;
  readonly children: ReactNode;
}

/** Theme and text size stand in the first bytes of the page: no script has to run before it is painted. */
export async function PageRoot({ fonts, children }: PageRootProps) {
  const look = readLook((await cookies()).get(LOOK_COOKIE)?.value);
  return (
    <html lang="en" data-theme={look.theme} data-text={look.text} className={fonts}>
      <body>{children}</body>
    </html>
  );
}
