import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

/** Where `slamomatic serve` listens while the client is being worked on. */
const SERVER = "http://localhost:8000";

export default defineConfig({
  // Relative addresses: the built client works under any path a host may put it.
  base: "./",
  plugins: [svelte()],
  build: { target: "es2022" },
  // Tests mount real components, so they need Svelte's browser half.
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  server: {
    proxy: {
      // As plain text it would be told another host, and refuse the page as none of its own.
      "/api": { target: SERVER },
      "/ws": { target: SERVER, ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    testTimeout: 30_000, // how fast the machine is says nothing about the code
    include: ["src/**/*.test.ts", "scripts/**/*.test.ts"],
  },
});
