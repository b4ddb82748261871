/** The page, by the roles and names of the contract: what a person with assistive technology finds is what a test finds. */
import { expect, type BrowserContext, type Locator, type Page } from "@playwright/test";
import { z } from "zod";
import type { Product } from "./product";

const SESSION_ADDRESS = /\/s\/(ses_[0-9A-Za-z]+)/;

export class DeskPage {
  readonly message: Locator;
  readonly sendButton: Locator;
  readonly stopButton: Locator;
  readonly log: Locator;
  readonly sessions: Locator;
  readonly approvals: Locator;
  readonly questions: Locator;
  readonly modelPicker: Locator;
  readonly connection: Locator;
  /** The answers' text elements; thinking, tools and notes are not among them. */
  readonly answers: Locator;
  readonly turns: Locator;

  constructor(
    readonly page: Page,
    readonly origin: string,
  ) {
    this.message = page.getByRole("textbox", { name: "Message", exact: true });
    this.sendButton = page.getByRole("button", { name: "Send", exact: true });
    this.stopButton = page.getByRole("button", { name: "Stop", exact: true });
    this.log = page.getByRole("log", { name: "Conversation" });
    this.sessions = page.getByRole("navigation", { name: "Sessions" });
    this.approvals = page.getByRole("group", { name: "Approval", exact: true });
    this.questions = page.getByRole("group", { name: "Question", exact: true });
    this.modelPicker = page.getByRole("combobox", { name: "Model", exact: true });
    this.connection = page.getByRole("status", { name: "Connection" });
    this.answers = this.log.locator(".answer");
    this.turns = this.log.locator("[data-turn]");
  }

  async openFront(): Promise<void> {
    await this.page.goto(`${this.origin}/`);
    await expect(this.message).toBeVisible();
  }

  async open(sessionId: string): Promise<void> {
    await this.page.goto(`${this.origin}/s/${sessionId}`);
    await this.isOpen();
  }

  async reload(): Promise<void> {
    await this.page.reload();
    await this.isOpen();
  }

  async isOpen(): Promise<void> {
    await expect(this.log).toBeVisible();
    await expect(this.message).toBeVisible();
  }

  /** Sends a message to an idle session and waits until its turn stands in the conversation. */
  async ask(text: string): Promise<void> {
    const turns = await this.turns.count();
    await this.send(text);
    await expect(this.turns).toHaveCount(turns + 1);
  }

  async send(text: string): Promise<void> {
    await this.message.fill(text);
    // Files that are still on their way hold a message back.
    await expect(this.sendButton).toBeEnabled();
    await this.message.press("Enter");
    await expect(this.message).toHaveValue("");
  }

  /** The session in the address, once there is one. */
  async sessionId(): Promise<string> {
    await expect(this.page).toHaveURL(SESSION_ADDRESS);
    return SESSION_ADDRESS.exec(this.page.url())?.[1] ?? "";
  }

  /** A tool's card by its title. */
  tool(title: string): Locator {
    return this.log.getByRole("group", { name: title, exact: true });
  }

  async openTool(title: string): Promise<Locator> {
    const card = this.tool(title);
    const button = card.getByRole("button").first();
    if ((await button.getAttribute("aria-expanded")) !== "true") await button.click();
    return card;
  }

  /** All answers' words as they stand in the page, without what is only drawn. */
  async answerText(): Promise<string> {
    return (await this.answers.allTextContents()).join("");
  }

  /** How many messages of the person the conversation shows with exactly these words. */
  said(text: string): Locator {
    return this.log.locator("[data-message]").filter({ has: this.page.getByText(text, { exact: true }) });
  }

  async isIdle(): Promise<void> {
    await expect(this.stopButton).toBeHidden();
    await expect(this.message).toBeEnabled();
  }

  async hasNoSidewaysScroll(): Promise<void> {
    const overflow = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(overflow, "the page scrolls sideways").toBeLessThanOrEqual(0);
  }
}

const RESOURCE = /^Failed to load resource/;

/** What went wrong in pages of a context: uncaught exceptions, and errors in the console that are no mere answer of a server. */
export function watchProblems(context: BrowserContext): readonly string[] {
  const problems: string[] = [];
  const watch = (page: Page): void => {
    page.on("pageerror", (error) => problems.push(`${error.name}: ${error.message}`));
    page.on("console", (line) => {
      if (line.type() === "error" && !RESOURCE.test(line.text())) problems.push(line.text());
    });
  };
  for (const page of context.pages()) watch(page);
  context.on("page", watch);
  return problems;
}

/** A tab more in the same browser. */
export async function openTab(context: BrowserContext, product: Product, sessionId: string): Promise<DeskPage> {
  const desk = new DeskPage(await context.newPage(), product.origin);
  await desk.open(sessionId);
  return desk;
}

const boxSchema = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export async function boxOf(element: Locator): Promise<z.infer<typeof boxSchema>> {
  return boxSchema.parse(await element.boundingBox());
}
