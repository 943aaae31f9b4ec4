/** A small site: home, a blog of five posts, a draft, a gated page, a page scheduled for 2030. */
export const blogFiles: Readonly<Record<string, string>> = {
  "site.yaml":
    "title: Journal\ndescription: Notes\nurl: https://journal.example\nmetadata: {theme-color: blue}\n",
  "content/01.home/default.md": "---\ntitle: Welcome\n---\nHello, *reader*.\n",
  "content/02.blog/blog.md":
    "---\ntitle: Blog\ncollection:\n  items: '@self.children'\n  order: {by: date, dir: desc}\n---\nAll posts.\n",
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((at) => [
      `content/02.blog/0${at}.post-${at}/post.md`,
      `---\ntitle: Post ${at}\ndate: 2026-0${at}-10\ntaxonomy:\n  tag: [odd-${at % 2}, all]\n---\nBody of post ${at}.\n`,
    ]),
  ),
  "content/02.blog/06.draft/post.md":
    "---\ntitle: Draft\npublished: false\ndate: 2026-09-01\ntaxonomy: {tag: secretdraft}\n---\nCanary draft.\n",
  "content/02.blog/07.later/post.md":
    "---\ntitle: Later\ndate: 2026-09-02\npublish_date: 2030-01-01T00:00:00Z\n---\nCanary later.\n",
  "content/03.members/default.md":
    "---\ntitle: Members\nroles: [member]\ntaxonomy: {tag: secretgate}\n---\nCanary gated.\n",
  "content/04.undated/default.md": "---\ntitle: äpfel\n---\nNo date.\n",
  "content/02.blog/01.post-1/cover.jpg": "not really a picture",
  "content/02.blog/01.post-1/cover.jpg.meta.yaml": "alt: A cover\n",
  "content/05.sub/default.md": "# Sub\n",
  "content/05.sub/children/default.md": "---\ntitle: A page named children\n---\nx\n",
};
