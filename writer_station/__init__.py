"""The program at a booth terminal: sells and pays keno tickets for a writer.

It talks to the server over one websocket, drives the booth's printer and shows the writer's page in
a browser.
"""
