import { formatDate, Html } from "#theme";
import type { CommentView, TemplateProps } from "#theme";

/** The comments of a page, and the form to write one; nothing for pages without. */
export function Comments({ comments, t, lang }: TemplateProps) {
  if (comments === undefined) return null;
  const { items, total, form, isWaiting } = comments;
  const count = total === 1 ? t("comments.one", "1 comment") : t("comments.count", "{n} comments");
  return (
    <section class="comments" id="comments" aria-labelledby="comments-title">
      <h2 id="comments-title">{t("comments.title", "Comments")}</h2>
      {isWaiting && (
        <p class="notice" role="status">
          {t("comments.waiting", "Thank you. Your comment appears when it has been approved.")}
        </p>
      )}
      <p class="dim">
        {total === 0
          ? t("comments.none", "There are no comments yet.")
          : count.replace("{n}", String(total))}
      </p>
      {items.length > 0 && <CommentList items={items} t={t} lang={lang} />}
      <h3>{t("comments.write", "Write a comment")}</h3>
      <Html html={form} />
    </section>
  );
}

function CommentList(props: Pick<TemplateProps, "t" | "lang"> & { items: readonly CommentView[] }) {
  const { items, t, lang } = props;
  return (
    <ol class="comment-list">
      {items.map(({ id, name, at, html, replies, replyUrl }) => (
        <li key={id}>
          <article id={`comment-${id}`} class="comment">
            <p class="facts">
              <strong>{name}</strong>
              <time dateTime={at}>{formatDate(at, lang)}</time>
            </p>
            <Html class="prose" html={html} />
            {replyUrl !== null && (
              <a
                href={replyUrl}
                aria-label={t("comments.reply_to", "Reply to {name}").replace("{name}", () => name)}
                rel="nofollow"
              >
                {t("comments.reply", "Reply")}
              </a>
            )}
          </article>
          {replies.length > 0 && <CommentList items={replies} t={t} lang={lang} />}
        </li>
      ))}
    </ol>
  );
}
