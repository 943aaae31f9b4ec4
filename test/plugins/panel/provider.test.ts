import type { Browser } from "playwright-core";
import { password, type AdminSite } from "../../support/sites/admin-site.js";
import { startNamedHost, type NamedHost } from "../../support/servers/named-host.js";
import {
  ANN,
  startOpenIdProvider,
  type OpenIdProvider,
} from "../../support/servers/openid-provider.js";
import {
  assertAccessible,
  bootPanel,
  openPanel,
  panelPlugins,
  type PanelPage,
} from "../../support/browsers/panel-browser.js";
import { useChromium } from "../../support/services.js";

describe("the panel's own account: an OpenID provider", () => {
  let browser: Browser;
  let front: NamedHost;
  let idp: OpenIdProvider;
  let site: AdminSite;
  let opened: PanelPage | null = null;
  before(async function () {
    browser = await useChromium(this);
    front = await startNamedHost();
    idp = await startOpenIdProvider(`${front.url}/admin/oidc/callback`);
    idp.person = { ...ANN, groups: ["writers"] };
    const oidc = {
      issuer: idp.issuer,
      client_id: "site",
      client_secret_env: "PANEL_SECRET",
      label: "Work",
      roles_claim: "groups",
      roles: { writers: "author" },
    };
    site = await bootPanel({
      plugins: [...panelPlugins, "auth", "outbound"],
      env: { PANEL_SECRET: "a secret of the provider" },
      settings: { site: { url: front.url }, admin: { oidc } },
    });
    front.lead(site.url);
    site.url = front.url;
  });
  after(async () => {
    await opened?.close();
    await site?.close();
    await idp?.close();
    front?.close();
  });

  it("connects the account by keyboard after its password, and disconnects it", async () => {
    const viewport = { width: 390, height: 844 };
    const options = { role: "author", path: "/account", viewport, bypassCSP: true };
    opened = await openPanel(browser, site, options);
    const { page } = opened;
    const card = page.getByRole("region", { name: "Login with a provider" });
    const dialog = page.getByRole("dialog");
    await card.getByRole("button", { name: "Connect with Work" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Current password").fill("a wrong pass phrase");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    await dialog.getByLabel("Current password").fill(password);
    await assertAccessible(page, "provider-390");
    await page.keyboard.press("Enter");
    await card.getByText("This account is connected: you may sign in with Work.").waitFor();

    await card.getByRole("button", { name: "Disconnect from Work" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByLabel("Current password").fill(password);
    await page.keyboard.press("Enter");
    await card.getByRole("button", { name: "Connect with Work" }).waitFor();
  });
});
