import { mount } from "svelte";
import "./art/tokens.css";
import "./app.css";
import App from "./App.svelte";

const target = document.getElementById("app");
if (!target) throw new Error("index.html has no #app to mount on");
mount(App, { target });
