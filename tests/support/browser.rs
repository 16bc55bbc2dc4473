//! A headless Chromium, driven over a pipe by the DevTools protocol: pages are opened, keys are pressed as a user presses
//! them, and expressions are evaluated in the page.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A browser with one page.
pub struct Browser {
    process: Child,
    commands: ChildStdin,
    messages: BufReader<ChildStdout>,
    session: Option<String>,
    last: u64,
    /// The addresses that were asked for.
    pub requests: Vec<String>,
}

impl Browser {
    /// Starts a browser that keeps its files in a folder. Panics where there is no Chromium: a test that needs one is run
    /// only where it is installed.
    pub fn start(folder: &Path) -> Self {
        // The protocol is spoken on descriptors 3 and 4.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --disable-background-networking \
                      --no-first-run --remote-debugging-pipe --window-size=1200,900 --user-data-dir=\"$0\" \
                      3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut process = Command::new("sh")
            .args(["-c", script])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (commands, messages) = (process.stdin.take().unwrap(), process.stdout.take().unwrap());
        let messages = BufReader::new(messages);
        let mut browser = Self { process, commands, messages, session: None, last: 0, requests: Vec::new() };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached =
            browser.call("Target.attachToTarget", json!({"targetId": target["targetId"], "flatten": true}));
        browser.session = Some(attached["sessionId"].as_str().unwrap().to_owned());
        browser.call("Network.enable", json!({}));
        browser.call("Page.enable", json!({}));
        browser
    }

    /// Opens a file, and waits until it is loaded.
    pub fn open(&mut self, file: &Path) {
        self.call("Page.navigate", json!({"url": format!("file://{}", file.to_str().unwrap())}));
        while self.value("document.readyState") != "complete" {}
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let text = match key {
            "Enter" => "\r",
            "Escape" => "",
            key => key,
        };
        let down = json!({"type": "keyDown", "key": key, "text": text});
        self.call("Input.dispatchKeyEvent", down);
        self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key}));
    }

    /// Types a text where the focus is.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Makes the system one of dark or light pages.
    pub fn prefer(&mut self, scheme: &str) {
        let features = json!([{"name": "prefers-color-scheme", "value": scheme}]);
        self.call("Emulation.setEmulatedMedia", json!({"features": features}));
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let answer = self.call("Runtime.evaluate", json!({"expression": expression, "returnByValue": true}));
        assert!(answer["exceptionDetails"].is_null(), "{expression}: {answer}");
        answer["result"]["value"].clone()
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.last += 1;
        let mut command = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            command["sessionId"] = session.as_str().into();
        }
        let mut bytes = serde_json::to_vec(&command).unwrap();
        bytes.push(0);
        self.commands.write_all(&bytes).expect("chromium runs; install it to run this test");
        loop {
            let mut bytes = Vec::new();
            self.messages.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "chromium ended; install it to run this test");
            let message: Value = serde_json::from_slice(&bytes).unwrap();
            if message["id"] == self.last {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            if message["method"] == "Network.requestWillBeSent" {
                self.requests.push(message["params"]["request"]["url"].as_str().unwrap().to_owned());
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
