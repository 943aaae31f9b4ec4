import type { ErrorTemplateProps } from "#theme";

/** The page for errors, such as 404 and 500. */
export default function ErrorPage(props: ErrorTemplateProps) {
  const { Layout, t, status, title, message, href, hasPlugin } = props;
  const text = t(
    `error.${status}.text`,
    status >= 500 ? t("error.text", "Please try again in a moment.") : message,
  );
  return (
    <Layout {...props} kind="error">
      <div class="wrap narrow failure">
        <p class="failure-code" aria-hidden="true">
          {status}
        </p>
        <h1>{title}</h1>
        <p class="lede">{text}</p>
        <p class="actions">
          <a class="button primary" href={href("/")}>
            {t("error.home", "Go to the home page")}
          </a>
          {status === 404 && hasPlugin("search") && (
            <a class="button" href={href("/search")}>
              {t("search.title", "Search")}
            </a>
          )}
        </p>
      </div>
    </Layout>
  );
}
