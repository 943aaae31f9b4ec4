// Jobs that arrange pages and files.
import assert from "node:assert/strict";
import type { Hands } from "../browsers/panel-hands.js";
import { picture } from "../content/pictures.js";
import { chooseMore, openNewPage, showFields, textOf, type PanelJob } from "./panel-job.js";

/** Jobs that move, tag, copy and delete. */
export const arrangingJobs: readonly PanelJob[] = [
  {
    name: "coast",
    title: "moves a section, with links and redirects",
    run: async (desk) => {
      const { name } = desk;
      const [section, links] = [`40.${name}`, `41.${name}-links`];
      await desk.seed("", { path: `${section}/default.md` });
      await desk.seed("", { path: `${section}/01.inner/default.md`, title: "inner" });
      const text = `[Coast](/${name}) and [inner](/${name}/inner)\n`;
      await desk.seed(text, { path: `${links}/default.md`, title: `${name} links` });
      const hands = await desk.open();
      const { page } = hands;
      await hands.go("Pages");
      await hands.press(page.getByRole("button", { name: "Tree" }));
      if (hands.isKeyboard) {
        await moveByDialog(hands, name, () => desk.look(hands, "dialog"));
      } else await dragBetween(hands, name, ["Maps", "Names"]);
      await page.getByText(`${name} was moved.`, { exact: false }).waitFor();
      hands.finish("Move a section below another page");
      const atlas = `/atlas/${name}`;
      assert.equal(
        await desk.body(`${links}/default.md`),
        `[Coast](${atlas}) and [inner](${atlas}/inner)\n`,
      );
      assert.equal((await desk.site.fetch(`${atlas}/inner`)).status, 200);
      const old = await desk.site.fetch(`/${name}/inner`);
      assert.equal(old.headers.get("location"), `${atlas}/inner`);
    },
  },
  {
    name: "address",
    title: "changes the address of a page, and visitors of the old one arrive",
    run: async (desk) => {
      await desk.seed("The pier.\n");
      const hands = await desk.edit();
      const { page } = hands;
      const place = page.locator(".page-place");
      await showFields(hands);
      await hands.press(place.getByRole("button", { name: "Change …" }).first());
      const dialog = page.getByRole("dialog", { name: "Change the address" });
      await hands.fill(dialog.getByLabel("End of the address"), `${desk.name}-new`);
      await dialog.locator(".address-preview").waitFor();
      await desk.look(hands, "dialog");
      await hands.press(dialog.getByRole("button", { name: "Change the address" }));
      await page.getByText("The page has a new address.").waitFor();
      hands.finish("Change the address of a page");
      const old = await desk.site.fetch(`/blog/${desk.name}`);
      assert.equal(old.headers.get("location"), `/blog/${desk.name}-new`);
    },
  },
  {
    name: "bulk",
    title: "tags twenty pages at once",
    run: async (desk) => {
      const { name } = desk;
      const files: Record<string, string> = {};
      for (let at = 1; at <= 20; at += 1) {
        files[`42.${name}/${at}.p${at}/post.md`] = `---\ntitle: ${name} ${at}\n---\n`;
      }
      await desk.write(files);
      const hands = await desk.open();
      const { page } = hands;
      await hands.go("Pages");
      await hands.fill(page.getByLabel("Search title or address"), name);
      await page.getByText("20 pages", { exact: true }).waitFor();
      await hands.check(page.getByLabel("Select all pages of this list"));
      await page.getByText("20 pages selected").waitFor();
      await desk.look(hands, "selected");
      await hands.press(page.getByRole("button", { name: "Add tag …" }));
      const dialog = page.getByRole("dialog");
      await hands.fill(dialog.getByLabel("Tag", { exact: true }), "harbour");
      await desk.look(hands, "dialog");
      await hands.press(dialog.getByRole("button", { name: "Add tag" }));
      await page.getByText("20 pages were changed.").waitFor();
      hands.finish("Tag twenty pages");
      const { entries } = desk.site.site.use("content").generation();
      const tagged = entries
        .filter(({ sourcePath }) => sourcePath.startsWith(`42.${name}/`))
        .filter(({ taxonomy }) => taxonomy["tag"]?.includes("harbour") === true);
      assert.equal(tagged.length, 20);
    },
  },
  {
    name: "trash",
    title: "deletes a page, and restores it",
    run: async (desk) => {
      await desk.seed("The pier.\n");
      const before = await desk.file();
      const hands = await desk.edit();
      const { page } = hands;
      await chooseMore(hands, "Move to trash …");
      const dialog = page.getByRole("dialog", { name: "Move this page to the trash?" });
      await dialog.waitFor();
      await desk.look(hands, "dialog");
      await hands.press(dialog.getByRole("button", { name: "Move to trash" }));
      await page.getByText("The page is in the trash.").waitFor();
      hands.finish("Delete a page");
      assert.equal((await desk.site.fetch(`/blog/${desk.name}`)).status, 404);
      await page.goto("/admin");

      hands.begin();
      await hands.go("Trash");
      await desk.look(hands, "list");
      await hands.press(page.getByRole("button", { name: `Restore ${desk.name}` }));
      await page.getByText(`${desk.name} is back.`).waitFor();
      hands.finish("Restore a deleted page");
      assert.equal(await desk.file(), before);
      assert.equal((await desk.site.fetch(`/blog/${desk.name}`)).status, 200);
    },
  },
  {
    name: "album",
    title: "describes two pictures, and moves them from their folder to another page",
    run: async (desk) => {
      const folder = `02.blog/${desk.name}`;
      const [pier, quay] = ["pier", "quay"].map((name) => `${folder}/${name}-${desk.name}.png`);
      assert.ok(pier !== undefined && quay !== undefined);
      const photo = await picture(320, 200);
      await desk.seed(`![](pier-${desk.name}.png)\n`);
      await desk.seed("", { path: `${folder}-to/post.md`, title: `${desk.name} to` });
      await desk.write({ [pier]: photo, [quay]: photo });
      const hands = await desk.open();
      const { page } = hands;
      const dialog = page.getByRole("dialog");
      const close = dialog.getByRole("button", { name: "Close", exact: true });
      const describe = async (name: string, at: number): Promise<void> => {
        await hands.press(page.getByRole("button", { name: `${name}-${desk.name}.png` }));
        await hands.fill(dialog.getByLabel("Alternative text"), `The ${name}`);
        await hands.press(dialog.getByRole("button", { name: "Save" }));
        await page.getByText("The description was saved.").nth(at).waitFor();
      };
      await hands.go("Media");
      await describe("pier", 0);
      await hands.press(close);
      await describe("quay", 1);
      hands.finish("Describe two pictures");
      await desk.look(hands, "described");
      await hands.press(close);
      assert.equal(await desk.file(`${quay}.meta.yaml`), "alt: The quay\n");

      hands.begin();
      await hands.choose(page.getByLabel("Folder"), folder);
      await page.getByText("2 files", { exact: true }).waitFor();
      for (const path of [pier, quay]) await hands.check(page.getByLabel(`Select ${path}`));
      await desk.look(hands, "selected");
      await hands.press(page.getByRole("button", { name: "Move …" }));
      const move = page.getByRole("dialog", { name: "Move 2 files to another page" });
      await hands.fill(move.getByLabel("Folder"), `${folder}-to`);
      await desk.look(hands, "move");
      await hands.press(move.getByRole("button", { name: "Move", exact: true }));
      await page.getByText("2 files were changed.").waitFor();
      hands.finish("Move two pictures to another page");
      assert.equal(await desk.body(), `![](../${desk.name}-to/pier-${desk.name}.png)\n`);
    },
  },
  {
    name: "recipe",
    title: "creates a page of a chosen type",
    run: async (desk) => {
      await desk.seed("The latest post.\n");
      const hands = await desk.open();
      const { page } = hands;
      const dialog = await openNewPage(hands, `${desk.name} soup`);
      await hands.choose(dialog.getByLabel("Page type"), "Recipe");
      await desk.look(hands, "dialog");
      await hands.press(dialog.getByRole("button", { name: "Create and write" }));
      await textOf(page).waitFor();
      hands.finish("Create a page of a chosen type");
      await showFields(hands);
      await page.getByLabel("Servings").waitFor();
      const { entries } = desk.site.site.use("content").generation();
      const created = entries.find(({ title }) => title === `${desk.name} soup`);
      assert.equal(created?.template, "recipe");
    },
  },
  {
    name: "copy",
    title: "duplicates a page",
    run: async (desk) => {
      await desk.seed("The pier.\n");
      const hands = await desk.edit();
      await chooseMore(hands, "Duplicate");
      await hands.page.getByText("This is the copy. It is a draft.").waitFor();
      hands.finish("Duplicate a page");
      const copy = desk.site.site.use("content").generation().at(`/blog/${desk.name}-copy`, "en");
      assert.equal(copy?.title, `${desk.name} (copy)`);
      assert.equal(copy?.status, "draft");
    },
  },
];

async function moveByDialog(hands: Hands, title: string, look: () => Promise<void>): Promise<void> {
  const { page } = hands;
  await hands.reachItem(
    page.getByRole("tree"),
    page.getByRole("treeitem", { name: title, exact: true }),
  );
  await hands.press(page.getByRole("button", { name: `Move ${title}`, exact: true }));
  const dialog = page.getByRole("dialog", { name: `Move ${title}` });
  await hands.fill(dialog.getByLabel("Search for a page"), "Atlas");
  await hands.check(dialog.getByRole("radio", { name: "Atlas" }));
  await look();
  await hands.press(dialog.getByRole("button", { name: "Move", exact: true }));
}

/** Drags a page into another level, between two of its pages. */
async function dragBetween(hands: Hands, title: string, [above, below]: [string, string]) {
  const { page } = hands;
  await hands.press(page.getByRole("button", { name: "Show pages below Atlas" }));
  await page.locator(`[draggable=true][aria-label="${below}"]`).waitFor();
  await page.getByTitle(`Drag ${title} to another place`).hover();
  hands.clicks += 1;
  await page.mouse.down();
  const row = page.getByRole("treeitem", { name: above });
  const { x, y, height } = (await row.boundingBox()) ?? assert.fail();
  await page.mouse.move(x + 120, y + height * 0.8, { steps: 4 });
  await page.mouse.move(x + 122, y + height * 0.9);
  await page.locator(`[aria-label="${above}"][data-drop=after]`).waitFor();
  await page.mouse.up();
  await page.locator(`[aria-label="${title}"][aria-level="2"][aria-posinset="2"]`).waitFor();
}
