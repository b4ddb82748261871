import { createHash, timingSafeEqual } from "node:crypto";

export type BearerCheck = (header: string | null) => boolean;

/** Whether an `Authorization` header carries the key; takes the same time for every wrong one. */
export function createBearerCheck(key: string): BearerCheck {
  const wanted = digest(key);
  return (header) => {
    const given = /^bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
    return timingSafeEqual(digest(given), wanted);
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
