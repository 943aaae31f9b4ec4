import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { assertAccessible, bootPanel } from "../../support/browsers/panel-browser.js";
import { usePanel } from "../../support/browsers/panel-desk.js";
import { useChromium } from "../../support/services.js";
import { VIEWS } from "../../support/browsers/views.js";

const path = "02.blog/first/post.md";
const live = "---\ntitle: First\n---\nThe harbour at dawn.\n\nBoats leave early.\n";
const changed = live.replace("dawn", "dusk").replace("First", "The first");

describe("reviews in the panel", () => {
  const desk = usePanel(useChromium, () => bootPanel({ files: { [`content/${path}`]: live } }));

  it("go from the author to the editor and back, with notes, until the text is published", async () => {
    const author = await desk.site.as("author", { username: "prepared" });
    await author.json(201, "PUT", `/admin/api/drafts/${path}`, { content: changed });
    const anna = await desk.open({ role: "author", username: "anna", path: `/edit/${path}` });
    await anna.getByRole("button", { name: "Ask for review" }).click();
    const asking = anna.getByRole("dialog", { name: "Ask for a review" });
    await asking.getByLabel("Note to the reviewer").waitFor();
    // It has the focus.
    await anna.keyboard.type("Is the title right?");
    await asking.getByRole("button", { name: "Ask for review" }).click();
    await anna.getByText("You asked for a review of this text").waitFor();

    const eda = await desk.open({ role: "editor", username: "eda" });
    const card = eda.getByRole("region", { name: "Reviews" });
    await card.getByText("Is the title right?").waitFor();
    await assertAccessible(eda, "review-dashboard");
    await card.getByRole("link", { name: "The first" }).click();
    const review = eda.getByRole("dialog", { name: "What publishing changes" });
    const text = review.getByRole("region", { name: "Text" });
    await text.waitFor();
    assert.deepEqual(await text.locator("del, ins").allInnerTexts(), ["dawn.", "dusk."]);
    const fields = review.getByRole("region", { name: "Fields" });
    assert.deepEqual(await fields.locator("dt").allInnerTexts(), ["Title"]);
    await review.getByText("One paragraph stays as before").waitFor();
    await review.getByLabel("Note to anna").fill("Dawn was right.");
    await review.getByRole("button", { name: "Send back" }).click();
    await eda.getByText("The text was sent back to anna.").waitFor();
    await eda.getByText("eda sent this text back").waitFor();

    await anna.goto("/admin");
    await anna.getByRole("region", { name: "Reviews" }).getByText("Dawn was right.").waitFor();
    await anna.getByRole("region", { name: "Reviews" }).getByRole("link").click();
    await anna.getByText("eda sent this text back").waitFor();
    await anna.getByRole("button", { name: "Ask again" }).click();
    await asking.getByRole("button", { name: "Ask for review" }).click();
    await anna.getByText("You asked for a review of this text").waitFor();

    await eda.reload();
    await review.getByRole("button", { name: "Approve and publish" }).click();
    await eda.getByText("Published.", { exact: true }).waitFor();
    const file = await readFile(join(desk.site.root, "content", path), "utf8");
    assert.equal(file, changed);
  });

  for (const { width, colorScheme } of VIEWS) {
    const name = `${width}-${colorScheme}`;
    it(`are readable and accessible at ${width} pixels, ${colorScheme}`, async () => {
      const author = await desk.site.as("author", { username: "anna" });
      const note = "Please look at the second paragraph.";
      const content = changed.replace("Boats leave early.\n", "Boats leave.\n\nAnd return late.\n");
      await author.json(201, "PUT", `/admin/api/drafts/${path}`, { content, review: true, note });
      const page = await desk.open({
        role: "editor",
        path: `/edit/${path}?review`,
        viewport: { width, height: 844 },
        colorScheme,
      });
      const review = page.getByRole("dialog", { name: "What publishing changes" });
      await review.getByText("And return late.").waitFor();
      await assertAccessible(page, `review-${name}`);
      await page.keyboard.press("Escape");
      await page.getByText(note).waitFor();
      await assertAccessible(page, `review-notice-${name}`);
    });
  }
});
