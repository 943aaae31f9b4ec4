/** Small WordPress exports. */

/** Fields of an item; the keys are element names without prefix. */
export interface WxrFields {
  id: number;
  type?: string;
  title?: string;
  link?: string;
  content?: string;
  more?: string;
}

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/" xmlns:wp="http://wordpress.org/export/1.2/">
<channel><title>Old</title><link>https://old.example</link><wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>https://old.example</wp:base_site_url>
<wp:author><wp:author_login>ines</wp:author_login><wp:author_display_name><![CDATA[Ines B.]]></wp:author_display_name></wp:author>
`;

/** An export with items. */
export function wxr(...items: readonly string[]): string {
  return `${HEAD}${items.join("\n")}\n</channel></rss>\n`;
}

/** An item of an export. */
export function wxrItem({
  id,
  type = "post",
  title = `Post ${id}`,
  link,
  content = "",
  more = "",
}: WxrFields): string {
  const slug = title.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  return `<item><title>${title}</title><link>${link ?? `https://old.example/2020/05/${slug}/`}</link>
<dc:creator>ines</dc:creator><content:encoded><![CDATA[${content}]]></content:encoded>
<wp:post_id>${id}</wp:post_id><wp:post_date>2020-05-01 08:30:00</wp:post_date><wp:post_name>${slug}</wp:post_name>
${more.includes("<wp:status>") ? "" : "<wp:status>publish</wp:status>"}<wp:post_type>${type}</wp:post_type>${more}</item>`;
}
