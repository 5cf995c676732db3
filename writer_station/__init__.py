"""The program at a booth terminal: takes a keno request, has the server sell it, prints the ticket.

It talks to the server over one websocket, drives the booth's printer and shows the writer's page.
"""
