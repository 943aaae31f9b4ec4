import type { ErrorTemplateProps } from "#theme";
import ErrorPage from "../error.js";

/** For logged-in visitors without access to the page. */
export default function Forbidden(props: ErrorTemplateProps) {
  const { t } = props;
  return <ErrorPage {...props} title={t("error.403.title", "No access")} />;
}
