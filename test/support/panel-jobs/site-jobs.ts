// Jobs around the site and its people.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PanelJob } from "./panel-job.js";

const SETTINGS = "# the harbour's site\ntitle: Harbour\nurl: https://harbour.example\n";

/** Jobs that need more rights than writing. */
export const siteJobs: readonly PanelJob[] = [
  {
    name: "setting",
    title: "changes a setting wrongly, reads why, and rightly",
    run: async (desk) => {
      const stored = () => readFile(join(desk.site.root, "site.yaml"), "utf8");
      await desk.site.write("site.yaml", SETTINGS);
      const hands = await desk.open();
      const { page } = hands;
      await hands.go("Settings");
      const url = page.getByLabel("Address", { exact: true });
      await hands.fill(url, "nope");
      await hands.press(page.getByRole("button", { name: "Save one change" }));
      await page.getByText("Expected an http(s) URL without credentials.").first().waitFor();
      await desk.look(hands, "wrong");
      assert.equal(await stored(), SETTINGS);
      await hands.fill(url, "https://pier.example");
      await hands.press(page.getByRole("button", { name: "Save one change" }));
      await page.getByText("The changes take effect after a restart").waitFor();
      hands.finish("Change a setting wrongly, then rightly");
      assert.equal(await stored(), SETTINGS.replace("harbour.example", "pier.example"));
    },
  },
  {
    name: "invite",
    title: "invites an author by e-mail",
    run: async (desk) => {
      const hands = await desk.open();
      const { page } = hands;
      await hands.go("Users");
      await desk.look(hands, "list");
      await hands.press(page.getByRole("button", { name: "Invite by e-mail" }));
      const dialog = page.getByRole("dialog");
      const email = `${desk.name}@example.org`;
      await hands.fill(dialog.getByLabel("E-mail address"), email);
      await desk.look(hands, "dialog");
      await hands.press(dialog.getByRole("button", { name: "Invite" }));
      await page.getByText(`The invitation to ${email} was sent.`).waitFor();
      hands.finish("Invite an author");
    },
  },
];
