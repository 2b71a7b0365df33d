/**
 * The frameworks' plugins of Vite, which are installed beside this file and found from nowhere
 * else.
 */
export { svelte } from '@sveltejs/vite-plugin-svelte';
export { default as vue } from '@vitejs/plugin-vue';
