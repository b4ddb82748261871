import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** No rule of axe is broken by what the page shows now; `rules` asks for these alone. */
export async function breaksNoRule(page: Page, state: string, rules: readonly string[] = []): Promise<void> {
  const builder = new AxeBuilder({ page });
  const { violations } = await (rules.length === 0 ? builder : builder.withRules([...rules])).analyze();
  const told = violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${node.target.join(" ")} (${node.failureSummary?.split("\n").slice(1, 3).join(" ").trim()})`));
  expect.soft(told, state).toEqual([]);
}
