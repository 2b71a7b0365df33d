import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { readSidebar } from './src/sidebar.mjs';

export default defineConfig({
  // The public address, for the site map and canonical links. `SITE_URL=https://… npm run build` sets it.
  ...(process.env.SITE_URL && { site: process.env.SITE_URL }),
  devToolbar: { enabled: false },
  // The pictures are small already, and the default service would need a native package.
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: 'licensing-apply',
      description: 'Insurance producers apply for state licenses inside your own site.',
      sidebar: readSidebar(),
      customCss: ['./src/site.css'],
      components: { MarkdownContent: './src/MarkdownContent.astro' },
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      credits: false,
    }),
  ],
});
