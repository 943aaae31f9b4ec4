import { Html, type TemplateProps } from "sitewright/theme";

/** The template of every page that names no other. */
export default function Default(props: TemplateProps) {
  const { Layout, page, themeConfig } = props;
  return (
    <Layout {...props}>
      <p>{String(themeConfig["motto"])}</p>
      <h1>{page?.title}</h1>
      {page && <Html html={page.html} />}
    </Layout>
  );
}
