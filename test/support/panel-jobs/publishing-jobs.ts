// Jobs around publishing: write, plan, review, translate, restore, withdraw.
import assert from "node:assert/strict";
import { takePicture } from "../browsers/panel-browser.js";
import { RUNS } from "../browsers/panel-hands.js";
import { picture } from "../content/pictures.js";
import { chooseMore, goToEnd, openNewPage, publish, textOf, type PanelJob } from "./panel-job.js";

/** Jobs that change what visitors see of a page. */
export const publishingJobs: readonly PanelJob[] = [
  {
    name: "dawn",
    title: "writes and publishes an illustrated post",
    run: async (desk) => {
      await desk.seed("The latest post.\n");
      const hands = await desk.open();
      const { page } = hands;
      const dialog = await openNewPage(hands, `${desk.name} new`);
      // Where the last page was written.
      assert.equal(await dialog.locator("input[name=parent]").inputValue(), "/blog");
      await desk.look(hands, "new");
      await hands.press(dialog.getByRole("button", { name: "Create and write" }));
      await hands.enter(textOf(page));
      await page.keyboard.type("Boats leave early.\n\n");
      await hands.press(page.getByRole("button", { name: "Picture", exact: true }));
      const pictures = page.getByRole("dialog", { name: "Insert a picture" });
      await pictures.waitFor();
      await desk.look(hands, "picture");
      const file = { name: `${desk.name}.png`, mimeType: "image/png" };
      const buffer = await picture(640, 400);
      await hands.upload(pictures.getByLabel("Upload pictures"), { ...file, buffer });
      await page.locator("img.md-picture").waitFor();
      await publish(hands);
      hands.finish("Write and publish an illustrated post");
      const html = await (await desk.site.fetch(`/blog/${desk.name}-new`)).text();
      assert.match(html, /Boats leave early[\s\S]*<img/);
    },
  },
  {
    name: "schedule",
    title: "schedules a draft, changes the time, and cancels the plan",
    run: async (desk) => {
      await desk.seed("Soon.\n", { more: "status: draft\n" });
      const hands = await desk.edit();
      const { page } = hands;
      const badge = page.locator(".editor-head .badge").getByText(/^Scheduled for/);
      await chooseMore(hands, "Schedule …");
      const dialog = page.getByRole("dialog", { name: "Publish later" });
      await hands.fillMoment(dialog.getByLabel("Date and time"), ["2031-05-05", "08:00"]);
      await desk.look(hands, "plan");
      await hands.press(dialog.getByRole("button", { name: "Schedule" }));
      await badge.waitFor();
      hands.finish("Schedule a draft");
      assert.match(await desk.file(), /publish_date:.*2031-05-05T08:00/);
      await desk.look(hands, "planned");

      hands.begin();
      await chooseMore(hands, "Change the planned time …");
      await hands.fillMoment(dialog.getByLabel("Date and time"), ["2031-06-06", "09:30"]);
      await hands.press(dialog.getByRole("button", { name: "Schedule" }));
      await dialog.waitFor({ state: "detached" });
      hands.finish("Change the time of a scheduled page");
      assert.match(await desk.file(), /publish_date:.*2031-06-06T09:30/);

      hands.begin();
      await chooseMore(hands, "Do not publish at the planned time");
      await badge.waitFor({ state: "detached" });
      hands.finish("Cancel a scheduled publication");
      assert.doesNotMatch(await desk.file(), /publish_date/);
      assert.equal((await desk.site.fetch(`/blog/${desk.name}`)).status, 404);
    },
  },
  {
    name: "review",
    title: "asks for a review, gets the text back with a note, and has it approved",
    run: async (desk) => {
      await desk.seed("The harbour at dawn.\n");
      const author = await desk.edit({ role: "author" });
      const asking = author.page.getByRole("dialog", { name: "Ask for a review" });
      const ask = asking.getByRole("button", { name: "Ask for review" });
      const isAsked = author.page.getByText("You asked for a review of this text");
      await goToEnd(author, "The harbour at dawn.");
      await author.page.keyboard.type("\nBoats leave early.");
      author.begin();
      await author.press(author.page.getByRole("button", { name: "Ask for review" }));
      await asking.getByLabel("Note to the reviewer").waitFor();
      await author.page.keyboard.type("Is this the right hour?");
      await desk.look(author, "ask");
      await author.press(ask);
      await isAsked.waitFor();
      author.finish("Ask for a review, with a note");
      await desk.look(author, "asked");

      const editor = await desk.open({ role: "editor" });
      const reviews = editor.page.getByRole("region", { name: "Reviews" });
      const review = editor.page.getByRole("dialog", { name: "What publishing changes" });
      await reviews.getByRole("link", { name: desk.name }).waitFor();
      await desk.look(editor, "dashboard");
      await editor.press(reviews.getByRole("link", { name: desk.name }));
      await review.getByRole("region", { name: "Text" }).waitFor();
      await desk.look(editor, "changes");
      await editor.fill(review.getByLabel(/^Note to/), "Earlier, please.");
      await editor.press(review.getByRole("button", { name: "Send back" }));
      await editor.page.getByText(/^The text was sent back to/).waitFor();
      editor.finish("Send a text back, with a note");

      await author.page.reload();
      await author.page.getByText("Earlier, please.").waitFor();
      await desk.look(author, "back");
      await author.press(author.page.getByRole("button", { name: "Ask again" }));
      await author.press(ask);
      await isAsked.waitFor();

      await editor.page.goto("/admin");
      editor.begin();
      await editor.press(reviews.getByRole("link", { name: desk.name }));
      await editor.press(review.getByRole("button", { name: "Approve and publish" }));
      await editor.page.getByText("Published.", { exact: true }).waitFor();
      editor.finish("Approve and publish a text");
      assert.match(await desk.body(), /^The harbour at dawn\.\n+Boats leave early\.\n*$/);
    },
  },
  {
    name: "translate",
    title: "translates a page beside its original",
    run: async (desk) => {
      await desk.seed("The harbour at dawn.\n");
      const hands = await desk.edit();
      const { page } = hands;
      const languageOf = (name: string) =>
        page.locator("summary", { hasText: `Language: ${name}` });
      await hands.press(languageOf("English (en) · one language is missing"));
      await hands.press(page.getByRole("button", { name: "German: missing: translate" }));
      await page.waitForURL(/post\.de\.md\?source$/);
      const original = page.getByRole("region", { name: "Original, English" });
      await original.getByText("The harbour at dawn.").waitFor();
      await desk.look(hands, "original");
      if (desk.run === RUNS[0]) await takePicture(page, "translation");
      await hands.fill(page.getByLabel("Title"), "Am Hafen");
      await hands.enter(textOf(page));
      await page.keyboard.press("Control+a");
      await page.keyboard.type("Der Hafen im Morgengrauen.");
      await publish(hands);
      hands.finish("Translate a page, with its title");
      const text = await desk.file(desk.path.replace(".md", ".de.md"));
      assert.match(
        text,
        /^---\ntitle: Am Hafen\nstatus: published\ntranslated_from: "?\w{12}"?\n---\n/,
      );
      const html = await (await desk.site.fetch(`/de/blog/${desk.name}`)).text();
      assert.match(html, /Der Hafen im Morgengrauen/);
      assert.equal(await desk.body(), "The harbour at dawn.\n");
      await hands.press(languageOf("German (de)"));
      await page.getByRole("link", { name: "English: original" }).waitFor();
    },
  },
  {
    name: "restore",
    title: "compares versions, and restores an older one",
    run: async (desk) => {
      const put = (words: string) =>
        desk.admin.json(200, "PUT", `/admin/api/pages/${desk.path}`, {
          content: `---\ntitle: ${desk.name}\n---\n${words}\n`,
        });
      await desk.seed("First words.\n");
      await put("Right words.");
      await put("Wrong words.");
      const hands = await desk.edit();
      const { page } = hands;
      const dialog = page.getByRole("dialog", { name: /^Version of/ });
      await hands.press(page.getByRole("button", { name: "History" }));
      await hands.press(page.locator(".revision").nth(1));
      await dialog.getByText("Right words.").waitFor();
      await desk.look(hands, "version");
      await hands.press(dialog.getByRole("button", { name: "Restore this version" }));
      await page.getByText(/was restored/).waitFor();
      hands.finish("Restore an older version");
      assert.equal(await desk.body(), "Right words.\n");
    },
  },
  {
    name: "withdraw",
    title: "withdraws a page",
    run: async (desk) => {
      await desk.seed("Over.\n");
      assert.equal((await desk.site.fetch(`/blog/${desk.name}`)).status, 200);
      const hands = await desk.edit();
      await chooseMore(hands, "Back to draft");
      await hands.page.getByText("The page is a draft again.").waitFor();
      hands.finish("Withdraw a page");
      assert.match(await desk.file(), /^status: draft$/m);
      assert.equal((await desk.site.fetch(`/blog/${desk.name}`)).status, 404);
    },
  },
];
