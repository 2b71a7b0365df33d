import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';
import { markdownLoader } from './markdown-loader.mjs';

export const collections = {
  docs: defineCollection({ loader: markdownLoader(), schema: docsSchema() }),
};
