import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import { readSidebar } from './src/sidebar.mjs';

export default defineConfig({
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
