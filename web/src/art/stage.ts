/** Development only: shows every drawing in every state. `npm run dev`, then /stage.html. Not part of the build. */
import { mount } from "svelte";
import "./tokens.css";
import Stage from "./Stage.svelte";

const target = document.getElementById("stage");
if (!target) throw new Error("stage.html has no #stage to mount on");
mount(Stage, { target });
