// Boots the packed runtime under Node and prints what the given Python code yields.
// Usage: node boot_runtime.mjs RUNTIME_FOLDER PYTHON_CODE
import { pathToFileURL } from "node:url";

const [folder, code] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
  const pyodide = await loadPyodide();
  await pyodide.loadPackage("card-rules-engine", { messageCallback: () => {} });
  console.log(pyodide.runPython(code));
} catch (error) {
  // The message alone: Node would print the whole minified line that the error came from.
  console.error(String(error));
  process.exitCode = 1;
}
