// Jobs in the text of a page.
import assert from "node:assert/strict";
import type { Hands } from "../browsers/panel-hands.js";
import { picture } from "../content/pictures.js";
import { goToEnd, publish, textOf, type PanelJob } from "./panel-job.js";

/** Jobs that change the text of a page. */
export const textJobs: readonly PanelJob[] = [
  {
    name: "table",
    title: "writes another row into a table",
    run: async (desk) => {
      const table = "| Port | Tide |\n| --- | --- |\n| Bergen | 1.2 |\n";
      await desk.seed(`Tides.\n\n${table}\nEnd.\n`);
      const hands = await desk.edit();
      const { page } = hands;
      await goToLastCell(hands);
      await page.keyboard.press("Tab");
      await page.keyboard.type("Oslo");
      await page.keyboard.press("Tab");
      await page.keyboard.type("0.3");
      await desk.look(hands, "typed");
      await publish(hands);
      hands.finish("Write another row into a table");
      assert.equal(await desk.body(), `Tides.\n\n${table}| Oslo | 0.3 |\n\nEnd.\n`);
    },
  },
  {
    name: "figure",
    title: "inserts a picture, and gives it a caption and an alternative text",
    run: async (desk) => {
      await desk.seed("The harbour.\n");
      const hands = await desk.edit();
      const { page } = hands;
      await goToEnd(hands, "The harbour.");
      await page.keyboard.type("\n\n");
      await hands.press(page.getByRole("button", { name: "Picture", exact: true }));
      const dialog = page.getByRole("dialog", { name: "Insert a picture" });
      const file = { name: "boat.png", mimeType: "image/png", buffer: await picture(640, 400) };
      await hands.upload(dialog.getByLabel("Upload pictures"), file);
      const figure = page.locator(".md-figure");
      await figure.locator("img").waitFor();
      await desk.look(hands, "asked");
      await hands.fill(figure.getByLabel("Description of the picture"), "A red boat");
      await hands.fill(figure.getByLabel("Caption"), "The Sea Lion");
      await publish(hands);
      hands.finish("Insert a picture with caption and alternative text");
      const html = await (await desk.site.fetch(`/blog/${desk.name}`)).text();
      assert.match(html, /<img[^>]*alt="A red boat"/);
      assert.match(await desk.body(), /!\[A red boat\]\(boat\.png "The Sea Lion"\)/);
    },
  },
  {
    name: "gallery",
    title: "inserts a gallery of three pictures",
    run: async (desk) => {
      await desk.seed("The harbour.\n");
      const hands = await desk.edit();
      const { page } = hands;
      await goToEnd(hands, "The harbour.");
      await page.keyboard.type("\n\n/gallery");
      const option = page.getByRole("option", { name: /^Gallery/ });
      await option.waitFor();
      await desk.look(hands, "menu");
      if (hands.isKeyboard) await page.keyboard.press("Enter");
      else await hands.press(option);
      const dialog = page.getByRole("dialog", { name: "Insert a picture" });
      const buffer = await picture(320, 240);
      const files = ["a.png", "b.png", "c.png"].map((name) => ({
        name,
        mimeType: "image/png",
        buffer,
      }));
      await hands.upload(dialog.getByLabel("Upload pictures"), files);
      const gallery = page.getByRole("group", { name: "Gallery, 3 pictures" });
      await gallery.waitFor();
      await publish(hands);
      hands.finish("Insert a gallery of three pictures");
      const html = await (await desk.site.fetch(`/blog/${desk.name}`)).text();
      assert.equal(html.match(/<img[^>]*(?:a|b|c)\.png/g)?.length, 3);
      await hands.fill(gallery.getByLabel("Description of picture 2"), "The pier");
      await publish(hands);
      assert.match(await desk.body(), /!\[The pier\]\(b\.png\)/);
    },
  },
  {
    name: "link",
    title: "links a word to a page of the site",
    run: async (desk) => {
      await desk.seed("Tides\n");
      const hands = await desk.edit();
      const { page } = hands;
      if (hands.isKeyboard) {
        await hands.enter(textOf(page));
        await page.keyboard.press("Control+Home");
        await page.keyboard.press("Control+Shift+ArrowRight");
      } else {
        hands.clicks += 2;
        await page
          .locator(".cm-line")
          .first()
          .dblclick({ position: { x: 20, y: 10 } });
      }
      await hands.press(page.getByRole("button", { name: "Link", exact: true }));
      const dialog = page.getByRole("dialog", { name: "Insert a link" });
      await hands.fill(dialog.getByLabel("Search a page or a file, or type an address"), "First");
      const target = dialog.getByRole("button", { name: "First /blog/first" });
      await target.waitFor();
      await desk.look(hands, "search");
      await hands.press(target);
      await publish(hands);
      hands.finish("Link a word to a page");
      assert.equal(await desk.body(), "[Tides](/blog/first)\n");
    },
  },
  {
    name: "find",
    title: "finds and replaces, takes it back, and does it again",
    run: async (desk) => {
      const body = "A boat, two boats.\n\n> One boat more.\n";
      await desk.seed(body);
      const hands = await desk.edit();
      const { page } = hands;
      const lines = async () => (await page.locator(".cm-content").innerText()).includes("ship");
      await hands.press(page.getByRole("button", { name: "Writing options" }));
      await hands.press(page.getByRole("menuitem", { name: /^Find/ }));
      const panel = page.getByRole("search", { name: "Find and replace" });
      await hands.fill(panel.getByLabel("Find", { exact: true }), "boat");
      await panel.getByText("3 found").waitFor();
      await hands.fill(panel.getByLabel("Replace with"), "ship");
      await desk.look(hands, "found");
      await hands.press(panel.getByRole("button", { name: "Replace all" }));
      await panel.getByText("Nothing found").waitFor();
      hands.finish("Find and replace in a page");
      assert.ok(await lines());

      hands.begin();
      await hands.press(page.getByRole("button", { name: "Undo", exact: true }));
      await panel.getByText("3 found").or(panel.getByText("of 3")).waitFor();
      hands.finish("Take the last change of a text back");
      assert.ok(!(await lines()));
      await hands.press(page.getByRole("button", { name: "Redo", exact: true }));
      await hands.press(panel.getByRole("button", { name: "Close" }));
      await panel.waitFor({ state: "hidden" });
      await publish(hands);
      assert.equal(await desk.body(), body.replaceAll("boat", "ship"));
    },
  },
];

/** Puts the cursor behind the words of the last cell: by keyboard, from above and cell by cell. */
async function goToLastCell(hands: Hands): Promise<void> {
  const { page } = hands;
  const cell = page.getByRole("textbox", { name: "Row 2, column 2" });
  await cell.waitFor();
  if (!hands.isKeyboard) return hands.press(cell);
  await hands.enter(textOf(page));
  await page.keyboard.press("Control+Home");
  for (const key of ["ArrowDown", "ArrowDown", "Tab", "Tab", "Tab"]) await page.keyboard.press(key);
}
