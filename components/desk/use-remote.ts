/**
 * Something that the server tells when asked: asked for when the component appears and whenever `key`
 * changes, told again by `reload`. An answer for an older key is dropped (B225); while a newer one is
 * under way the last value stays on screen.
 */
import { useCallback, useEffect, useState } from "react";
import type { ApiFailure, ApiResult } from "#client/api-result";

export interface Remote<T> {
  /** The last value for this key, or null before the first. */
  readonly value: T | null;
  readonly failure: ApiFailure | null;
  readonly loading: boolean;
  readonly reload: () => void;
}

interface Held<T> {
  readonly key: string;
  readonly version: number;
  readonly value: T | null;
  readonly failure: ApiFailure | null;
}

/** `key` null: nothing is asked for. `load` belongs to the key: it is called again only when the key changes. */
export function useRemote<T>(key: string | null, load: () => Promise<ApiResult<T>>): Remote<T> {
  const [held, setHeld] = useState<Held<T> | null>(null);
  const [version, setVersion] = useState(0);
  useEffect(() => {
    if (key === null) return undefined;
    let current = true;
    void load().then((answer) => {
      if (!current) return;
      setHeld((before) => {
        const kept = before?.key === key ? before.value : null;
        return { key, version, value: answer.ok ? answer.value : kept, failure: answer.ok ? null : answer };
      });
    });
    return () => {
      current = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps
  }, [key, version]);
  const reload = useCallback(() => setVersion((count) => count + 1), []);
  const fits = held !== null && held.key === key;
  const loading = key !== null && !(fits && held.version === version);
  return { value: fits ? held.value : null, failure: fits ? held.failure : null, loading, reload };
}
