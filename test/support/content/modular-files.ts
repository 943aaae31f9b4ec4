/** A site with modular pages: modules of several templates, hidden and gated ones. */
export const modularFiles: Readonly<Record<string, string>> = {
  "site.yaml": "title: Harbour\n",
  "content/01.home/default.md": "---\ntitle: Home\n---\n",
  "content/01.home/01._hero/hero.md":
    "---\ntitle: Sail with us\ntext: Two boats.\nactions: [{ label: Book, url: /book }]\n---\nSalty **wind**.\n",
  "content/01.home/02._prices/timetable.md": "# Prices\n\nForty per hour.\n\n## Prices\n",
  "content/01.home/03._secret/text.md": "---\nroles: [member]\n---\nMembersonly text.\n",
  "content/01.home/04._draft/text.md": "---\npublished: false\n---\nUnfinished text.\n",
  "content/01.home/05._later/text.md": "---\npublish_date: 2026-12-01\n---\nScheduled text.\n",
  "content/02.club/default.md": "---\ntitle: Club\nroles: [member]\n---\nClubhouse.\n",
  "content/02.club/_rules/text.md": "Clubrules apply.\n",
  "content/02.club/_board/text.md": "---\nroles: [board]\n---\nBoardroom minutes.\n",
  "content/03.book/default.md":
    '---\ntitle: Book\ncollection: { items: { "@self.modules": true }, order: { by: title, dir: desc } }\n---\nChoose.\n',
  "content/03.book/01._a/text.md": "---\ntitle: Alpha\n---\nFirst boat.\n\n## Deck\n",
  "content/03.book/02._b/text.md": "---\ntitle: Beta\n---\nSecond boat.\n\n## Deck\n",
};
