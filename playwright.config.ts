import { defineConfig, devices } from "@playwright/test";

// `npm test` finds a browser and names it here; without it Playwright's own is used. A container's
// root user has no sandbox. No other switch: the browser must guard pages as everyone's does.
const browser = process.env["HERMES_TEST_BROWSER"];

export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results",
  timeout: 90_000,
  expect: { timeout: 20_000 },
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: process.env["CI"] !== undefined,
  reporter: "line",
  use: {
    ...devices["Desktop Chrome"],
    launchOptions: {
      args: ["--no-sandbox"],
      ...(browser === undefined || browser === "" ? {} : { executablePath: browser }),
    },
    trace: "off",
    screenshot: "only-on-failure",
  },
});
