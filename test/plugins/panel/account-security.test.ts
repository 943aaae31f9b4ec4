import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { password } from "../../support/sites/admin-site.js";
import { startNamedHost, type NamedHost } from "../../support/servers/named-host.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { addVirtualAuthenticator } from "../../support/browsers/virtual-authenticator.js";
import { VIEWS } from "../../support/browsers/views.js";

describe("the panel's own account: authenticator app and passkeys", () => {
  let front: NamedHost;
  const desk = usePanel(useChromium, async () => {
    front = await startNamedHost();
    const { url } = front;
    const site = await bootPanel({ settings: { site: { url } } });
    front.lead(site.url);
    return { ...site, url };
  });
  afterEach(() => front.close());
  const open = (options: PanelPageOptions = {}): Promise<Page> =>
    desk.open({ role: "author", username: "ada", path: "/account", ...options });
  const codeOf = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate();

  /** Connects an authenticator app by keyboard; returns its secret and the recovery codes. */
  async function connectApp(page: Page): Promise<{ secret: string; codes: string[] }> {
    await page.getByRole("button", { name: "Set up" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Current password").focus();
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await dialog.getByAltText("QR code for the authenticator app").waitFor();
    const secret = await dialog.getByLabel("Secret").inputValue();
    await dialog.getByLabel("Code that the app shows").focus();
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press("Enter");
    const list = dialog.getByRole("list", { name: "Recovery codes" });
    await list.waitFor();
    return { secret, codes: await list.getByRole("listitem").allInnerTexts() };
  }

  it("connects an authenticator app by keyboard, whose codes are then needed", async () => {
    const page = await open();
    const { codes } = await connectApp(page);
    assert.equal(codes.length, 10);
    await page.getByRole("button", { name: "I have stored them" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("10 recovery codes are left").waitFor();
    await page.context().clearCookies();
    await page.goto("/admin/login");
    await page.getByLabel("Username").fill("ada");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.keyboard.press("Enter");
    await page.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: /^Welcome/ }).waitFor();
    await page.goto("/admin/account");
    await page.getByText("9 recovery codes are left").waitFor();
  });

  it("says why a password or a code is wrong, and keeps the dialog", async () => {
    const page = await open();
    await page.getByRole("button", { name: "Set up" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Current password").fill("not this one");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByText("the current password is wrong").waitFor();
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await dialog.getByLabel("Code that the app shows").fill("000000x");
    await dialog.getByRole("button", { name: "Turn on" }).click();
    await dialog.getByText(/The code is wrong or expired/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Set up" }).waitFor();
  });

  it("replaces the recovery codes, and turns the app off", async () => {
    const page = await open();
    const { codes } = await connectApp(page);
    await page.keyboard.press("Escape");
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "New recovery codes" }).click();
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Create codes" }).click();
    const first = dialog.getByRole("listitem").first();
    assert.notEqual(await first.innerText(), codes[0]);
    await dialog.getByRole("button", { name: "I have stored them" }).click();
    await page.getByRole("button", { name: "Turn off" }).click();
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Turn off" }).click();
    await page.getByText("Codes are no longer needed.").waitFor();
    await page.getByRole("button", { name: "Set up" }).waitFor();
  });

  it("adds, renames and removes a passkey, and signs in with it", async () => {
    const page = await open();
    await addVirtualAuthenticator(page);
    const card = page.getByRole("region", { name: "Passkeys" });
    const dialog = page.getByRole("dialog");
    await card.getByRole("button", { name: "Add a passkey" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Name").focus();
    await page.keyboard.type("Laptop");
    await page.keyboard.press("Tab");
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await page.getByText("The passkey was added.").waitFor();
    await card.getByText("Not used yet").waitFor();
    await card.getByRole("button", { name: "Rename Laptop" }).click();
    await dialog.getByLabel("Name").fill("Travel laptop");
    await dialog.getByRole("button", { name: "Save" }).click();
    await card.getByText("Travel laptop").waitFor();

    // The device has one already.
    await card.getByRole("button", { name: "Add a passkey" }).click();
    await dialog.getByLabel("Name").fill("Second try");
    await dialog.getByLabel("Current password").fill(password);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("This device already has a passkey of your account").waitFor();
    await page.keyboard.press("Escape");

    await page.context().clearCookies();
    await page.goto("/admin/login?next=%2Fadmin%2Faccount");
    await page.getByRole("button", { name: "Sign in with a passkey" }).focus();
    await page.keyboard.press("Enter");
    await card.getByText("Last used").waitFor();
    await card.getByRole("button", { name: "Remove Travel laptop" }).click();
    await dialog.getByRole("button", { name: "Remove" }).click();
    await page.getByText("The passkey was removed.").waitFor();
    // The list is loaded again.
    await card.getByText("Travel laptop").waitFor({ state: "detached" });
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const viewport = { width, height: 900 };
      const page = await open({ colorScheme, viewport, bypassCSP: true });
      const name = `security-${colorScheme}-${width}`;
      await addVirtualAuthenticator(page);
      await page.getByRole("button", { name: "Add a passkey" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name").fill("Laptop");
      await dialog.getByLabel("Current password").fill(password);
      await dialog.getByRole("button", { name: "Save" }).click();
      await page.getByText("Not used yet").waitFor();
      await page.getByRole("button", { name: "Set up" }).click();
      await dialog.getByLabel("Current password").fill(password);
      await dialog.getByRole("button", { name: "Continue" }).click();
      const secret = await dialog.getByLabel("Secret").inputValue();
      await assertAccessible(page, `${name}-app`);
      await dialog.getByLabel("Code that the app shows").fill(codeOf(secret));
      await dialog.getByRole("button", { name: "Turn on" }).click();
      await dialog.getByRole("listitem").first().waitFor();
      await assertAccessible(page, `${name}-codes`);
      await page.keyboard.press("Escape");
      await page.getByText("10 recovery codes are left").waitFor();
      await assertAccessible(page, name);
    });
  }
});

describe("the panel's own account on a site without a host name", () => {
  it("explains why there are no passkeys", async function () {
    const browser = await useChromium(this);
    const settings = { site: { url: "http://192.0.2.7:8000" } };
    const site = await bootPanel({ settings });
    const { page, close } = await openPanel(browser, site, { path: "/account", locale: "de-DE" });
    const card = page.getByRole("region", { name: "Passkeys" });
    await card.getByText("Diese Site kann derzeit keine Passkeys haben:").waitFor();
    await card.getByText(/passkeys belong to a host name.*192\.0\.2\.7/).waitFor();
    assert.equal(await card.getByRole("button").count(), 0);
    await close();
    await site.close();
  });
});
