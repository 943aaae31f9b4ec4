import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import {
  assertAccessible,
  bootPanel,
  type PanelPageOptions,
} from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

const boats = `title: Boats
description: Boats for hire
fields:
  name: { type: text, label: Name, required: true, help: As painted on the hull }
  kind: { type: select, label: Kind, options: { sloop: Sloop, ketch: Ketch } }
  length: { type: number, label: Length, validate: { min: 1 } }
  tags: { type: tags, label: Tags }
  notes: { type: textarea, label: Notes }
  story: { type: markdown, label: Story }
`;

const crews = "title: Crews\nfields:\n  name: { type: text }\n";

describe("the panel's records", () => {
  const desk = usePanel(useChromium, () =>
    bootPanel({ files: { "flex-objects/boats.yaml": boats, "flex-objects/crews.yaml": crews } }),
  );
  const open = (path: string, options: PanelPageOptions = {}): Promise<Page> =>
    desk.open({ path, ...options });
  const add = async (...all: Record<string, unknown>[]): Promise<string[]> => {
    const changes = all.map((data) => ({ op: "create", type: "boats", data }) as const);
    const results = await desk.site.site.use("flex").apply(changes);
    return results.map(({ id }) => id);
  };
  const stored = () => desk.site.site.use("flex").all("boats");

  it("creates a record by pointer, with the server's errors beside the fields", async () => {
    const page = await open("/records");
    await page.getByRole("link", { name: "Boats" }).click();
    await page.getByText("There are no records").waitFor();
    await page.getByRole("link", { name: "New record" }).click();
    await page.getByLabel("Length").fill("0");
    await page.getByRole("button", { name: "Save" }).click();
    const name = page.getByRole("textbox", { name: "Name" });
    await page.locator(".field-error", { hasText: "Name is required." }).waitFor();
    assert.equal(await name.getAttribute("aria-invalid"), "true");
    // Each error stands once, beside its field.
    assert.match(
      await page.getByRole("alert").innerText(),
      /^(?:One field is|\d fields are) invalid\./,
    );
    assert.equal(await page.getByText("Name is required.").count(), 1);
    await name.fill("Aurora");
    await page.getByLabel("Length").fill("9.5");
    await page.getByLabel("Kind").selectOption("ketch");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Aurora" }).waitFor();
    const [record] = await stored();
    assert.deepEqual(
      [record?.["name"], record?.["length"], record?.["kind"]],
      ["Aurora", 9.5, "ketch"],
    );
  });

  it("changes a record by keyboard alone, and clears a value", async () => {
    await add({ name: "Aurora", kind: "sloop", notes: "old" });
    const page = await open("/records/boats");
    await page.getByRole("link", { name: "Aurora" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Notes" }).focus();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await page.getByRole("textbox", { name: "Name" }).focus();
    await page.keyboard.press("End");
    await page.keyboard.type(" II");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Aurora II" }).waitFor();
    const [record] = await stored();
    assert.equal(record?.["name"], "Aurora II");
    assert.equal(record?.["notes"], undefined);
  });

  it("edits a Markdown field with the controls of a page, without what needs one", async () => {
    const story = "First  *words*\r\n\r\n[there](/a)\r\n";
    const [id = ""] = await add({ name: "Aurora", story });
    const page = await open(`/records/boats/${id}`);
    const text = page.getByRole("textbox", { name: "Story" });
    await text.getByText("First").click();
    const tools = page.getByRole("toolbar");
    assert.equal(await tools.getByRole("button", { name: "Picture" }).count(), 0);
    await page.getByRole("textbox", { name: "Name" }).fill("Aurora 2");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Aurora 2" }).waitFor();
    assert.equal((await stored())[0]?.["story"], story);
    await page.goto(`/admin/records/boats/${id}`);
    await text.getByText("there").click();
    await page
      .getByRole("group", { name: "Link" })
      .getByRole("button", { name: "Change the link" })
      .click();
    await page.getByRole("dialog").getByRole("textbox").fill("/b");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+End");
    await page.keyboard.type("/");
    await page.getByRole("option", { name: /Task list/ }).waitFor();
    assert.equal(await page.getByRole("option", { name: /Picture|Gallery/ }).count(), 0);
    await page.keyboard.type("todo");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Sail");
    await tools.getByRole("button", { name: "Bold" }).click();
    await page.keyboard.type("!");
    await assertAccessible(page, "record-text");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Aurora 2" }).waitFor();
    const expected = story.replace("(/a)", "(/b)") + "- [ ] Sail**!**";
    assert.equal((await stored())[0]?.["story"], expected);
  });

  it("reports a record that has changed since it was opened", async () => {
    const [id = ""] = await add({ name: "Aurora" });
    const page = await open(`/records/boats/${id}`);
    await page.getByRole("textbox", { name: "Name" }).fill("Mine");
    await desk.site.site
      .use("flex")
      .apply([{ op: "update", type: "boats", id, data: { name: "Theirs" } }]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").waitFor();
    assert.equal((await stored())[0]?.["name"], "Theirs");
  });

  it("searches, hides from visitors, and deletes several records after a question", async () => {
    const [, hidden = ""] = await add(
      { name: "Aurora" },
      { name: "Borealis" },
      { name: "Aurelia" },
    );
    const page = await open(`/records/boats/${hidden}`);
    await page.getByLabel("Visible to visitors").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Hidden", { exact: true }).waitFor();
    assert.equal((await desk.site.fetch(`/api/flex/boats/${hidden}`)).status, 404);
    await page.getByLabel("Search records").fill("AUR");
    await page.getByText("2 records").waitFor();
    await page.getByLabel("Select all records of this list").check();
    await page.getByRole("button", { name: "Delete" }).click();
    await page
      .getByRole("dialog", { name: "Delete 2 records?" })
      .getByRole("button", { name: "Delete" })
      .click();
    await page.getByText("2 records were deleted.").waitFor();
    await page.getByText("No record matches").waitFor();
    assert.deepEqual(
      (await stored()).map((one) => one["name"]),
      ["Borealis"],
    );
  });

  it("exports CSV that imports unchanged, and lists rows that fail", async () => {
    await add(
      { name: '=1+1 "quoted", ütf', length: -0 + 3, tags: ["a", "b"] },
      { name: "Second", tags: ["with, comma"], notes: "two\nlines" },
    );
    const before = await stored();
    const page = await open("/records/boats");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "boats.csv");
    const text = await readFile(await file.path(), "utf8");
    assert.match(text, /'=1\+1/, "a cell like a formula is escaped");
    const lines = `${text}\r\n,,sloop,5,,\r\n,Third,ketch,7,"x, y",\r\n`;
    await page.getByRole("button", { name: "Import CSV" }).click();
    const dialog = page.getByRole("dialog");
    await dialog
      .getByLabel("CSV file")
      .setInputFiles({ name: "boats.csv", mimeType: "text/csv", buffer: Buffer.from(lines) });
    await dialog.getByText("1 created, 2 changed, 1 failed.").waitFor();
    await dialog.getByText(/^Row 4: Name is required/).waitFor();
    const now = await stored();
    const plain = (all: typeof now) =>
      all.map(({ _updatedAt, ...one }) => one).filter((one) => one["name"] !== "Third");
    assert.deepEqual(plain(now), plain(before));
    assert.deepEqual(now.find((one) => one["name"] === "Third")?.["tags"], ["x", "y"]);
  });

  it("imports a CSV file that is dropped on its picker", async () => {
    const page = await open("/records/boats");
    await page.getByRole("button", { name: "Import CSV" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Choose a file").waitFor();
    await assertAccessible(page, "records-import");
    const dataTransfer = await page.evaluateHandle(
      "(() => { const all = new DataTransfer(); all.items.add(new File(['name,kind,length\\nDropped,sloop,5'], 'boats.csv')); return all; })()",
    );
    await dialog.getByText("or drop it here").dispatchEvent("drop", { dataTransfer });
    await dialog.getByText("1 created, 0 changed, 0 failed.").waitFor();
    assert.deepEqual(
      (await stored()).map((one) => one["name"]),
      ["Dropped"],
    );
  });

  it("offers no changes without the right to write", async () => {
    const [id = ""] = await add({ name: "Aurora" });
    const page = await open(`/records/boats/${id}`, { role: "author" });
    await page.getByRole("textbox", { name: "Name" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Save" }).count(), 0);
  });

  for (const { colorScheme, width } of VIEWS) {
    it(`has no accessibility violations (${colorScheme}, ${width} pixels)`, async () => {
      const [id = ""] = await add(
        { name: "Aurora", kind: "sloop", length: 9, tags: ["harbour"] },
        { name: "Borealis" },
      );
      const viewport = { width, height: 900 };
      const page = await open("/records", { colorScheme, viewport, bypassCSP: true });
      const name = (screen: string): string => `records-${screen}-${colorScheme}-${width}`;
      await page.getByRole("link", { name: "Boats" }).waitFor();
      await assertAccessible(page, name("types"));
      await page.goto("/admin/records/boats");
      await page.getByRole("link", { name: "Aurora" }).waitFor();
      await page.getByLabel("Select Aurora").check();
      await assertAccessible(page, name("list"));
      await page.getByRole("button", { name: "Import CSV" }).click();
      await page.getByRole("dialog").waitFor();
      await assertAccessible(page, name("import"));
      await page.goto(`/admin/records/boats/${id}`);
      await page.getByRole("textbox", { name: "Name" }).fill("");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("alert").waitFor();
      await assertAccessible(page, name("form"));
    });
  }
});
